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

/** The fields of a printed page, which the function `parallelTexts` of @lectern/client does not select. */
const document = documentText<
  {
    readonly parallel: {
      readonly rows: readonly {
        readonly cells: readonly {
          readonly verses: readonly Verse[];
          readonly elsewhere: { readonly reference: string } | null;
        }[];
      }[];
    } | null;
  },
  { reference: string; translations: readonly string[] }
>(`query ParallelChapter($reference: String!, $translations: [String!]!) {
  parallel(reference: $reference, translations: $translations) {
    rows {
      cells {
        elsewhere { reference }
        verses {
          id bookId bookName chapter verse reference text
          breaks { kind start indent }
          marks { kind start length }
          notes { kind start text references { reference bookId status verseCount start length } }
          headings { kind text start }
        }
      }
    }
  }
}`);

/**
 * Reads a chapter in two translations. A row has the verses of both with the same text, also where
 * the two number or divide verses differently.
 */
export async function readParallel(
  client: LecternClient,
  { translation, beside, book, chapter }: ParallelPlace,
  signal: AbortSignal,
): Promise<ParallelPage> {
  const variables = { reference: `${book} ${chapter}`, translations: [translation, beside] };
  const { parallel } = await client.query(document, variables, { signal });
  const rows = (parallel?.rows ?? []).map(({ cells }) => ({
    cells: cells.map(({ verses, elsewhere }) => ({ verses, elsewhere: elsewhere?.reference ?? null })),
  }));
  return { rows, isByNumber: false };
}

const cell = (verses: readonly Verse[]): ParallelCell => ({ verses, elsewhere: null });

/** Aligns the verses of a chapter in several translations by their numbers. */
export function alignByNumber(chapters: readonly (readonly Verse[])[]): ParallelPage {
  const numbers = [...new Set(chapters.flat().map(({ verse }) => verse))].sort((one, other) => one - other);
  const rows = numbers.map((number) => ({
    cells: chapters.map((verses) => cell(verses.filter(({ verse }) => verse === number))),
  }));
  return { rows, isByNumber: true };
}
