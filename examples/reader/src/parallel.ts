import { documentText, type LecternClient, type readingChapter } from '@lectern/client';

type Verse = Awaited<ReturnType<typeof readingChapter>>['verses'][number];

export interface ParallelPlace {
  readonly translation: string;
  /** The identifier of the second translation. */
  readonly beside: string;
  /** A USFM code, such as JHN. */
  readonly book: string;
  readonly chapter: number;
}

export interface ParallelCell {
  /** The verses of a translation with the text of the row. */
  readonly verses: readonly Verse[];
  /** The reference of the verse with this text if it is in another row or chapter. Null otherwise. */
  readonly elsewhere: string | null;
}

export interface ParallelPage {
  /** A row has a cell for each translation. */
  readonly rows: readonly { readonly cells: readonly ParallelCell[] }[];
  /** Whether the rows have verses with the same number, which may have different texts. */
  readonly isByNumber: boolean;
}

interface AlignedVerse extends Verse {
  /** The verse of the other translation with the same text. Null if it lacks the text. */
  readonly inTranslation: Verse | null;
}

/** A query for both translations would exceed the default cost limit of the service for Psalm 119. */
const document = documentText<
  { readonly chapter: readonly AlignedVerse[] },
  { translation: string; other: string; book: string; chapter: number }
>(`query AlignedChapter($translation: String!, $other: String!, $book: String!, $chapter: Int!) {
  chapter(translation: $translation, book: $book, chapter: $chapter) {
    ...Printed
    inTranslation(identifier: $other) { ...Printed }
  }
}
fragment Printed on Verse {
  id bookId bookName chapter verse reference text
  breaks { kind start indent }
  marks { kind start length }
  notes { kind start text references { reference bookId status verseCount start length } }
  headings { kind text start }
}`);

/**
 * Reads a chapter in two translations. A row has a verse of the first translation and the verse of
 * the second one with the same text, also where the two number verses differently.
 */
export async function readParallel(
  client: LecternClient,
  place: ParallelPlace,
  signal: AbortSignal,
): Promise<ParallelPage> {
  const { translation, beside, ...chapter } = place;
  const [{ chapter: own }, { chapter: other }] = await Promise.all([
    client.query(document, { ...chapter, translation, other: beside }, { signal }),
    client.query(document, { ...chapter, translation: beside, other: translation }, { signal }),
  ]);
  const shown = new Set<string>();
  const rows: { cells: ParallelCell[] }[] = [];
  /** The verses of the second translation that are not beside a verse of the first one, in their order. */
  const paired = new Set(own.map(({ inTranslation }) => inTranslation?.id));
  const unpaired = other.filter(({ id }) => !paired.has(id));
  const addUnpaired = (until: Verse | null): void => {
    const next = unpaired.findIndex((verse) => until !== null && !isBefore(verse, until));
    for (const verse of unpaired.splice(0, next === -1 ? unpaired.length : next))
      rows.push({ cells: [{ verses: [], elsewhere: verse.inTranslation?.reference ?? null }, cell([verse])] });
  };
  for (const verse of own) {
    const { inTranslation: counterpart } = verse;
    if (counterpart) addUnpaired(counterpart);
    const isRepeated = counterpart !== null && shown.has(counterpart.id);
    if (counterpart) shown.add(counterpart.id);
    const beside = isRepeated
      ? { verses: [], elsewhere: counterpart.reference }
      : cell(counterpart ? [counterpart] : []);
    rows.push({ cells: [cell([verse]), beside] });
  }
  addUnpaired(null);
  return { rows, isByNumber: false };
}

const cell = (verses: readonly Verse[]): ParallelCell => ({ verses, elsewhere: null });

const isBefore = (one: Verse, other: Verse): boolean =>
  one.chapter < other.chapter || (one.chapter === other.chapter && one.verse < other.verse);

/** Aligns the verses of a chapter in several translations by their numbers. */
export function alignByNumber(chapters: readonly (readonly Verse[])[]): ParallelPage {
  const numbers = [...new Set(chapters.flat().map(({ verse }) => verse))].sort((one, other) => one - other);
  const rows = numbers.map((number) => ({
    cells: chapters.map((verses) => cell(verses.filter(({ verse }) => verse === number))),
  }));
  return { rows, isByNumber: true };
}
