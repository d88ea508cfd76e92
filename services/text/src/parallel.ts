import { type ParallelCell as AlignedCell, alignVerses, parallelShape, withoutNumberingMark } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import { errors } from '@lectern/errors';
import { textDifferences } from '@lectern/words';
import type { RequestContext } from './context';
import { numberingOf, readPlaces } from './passages';
import type { TextStore, Verse, VerseKey } from './store';

export interface ParallelCell extends AlignedCell {
  readonly translation: Translation;
}

export interface ParallelRow {
  readonly cells: readonly ParallelCell[];
}

interface ParallelArguments {
  reference: string;
  translations: readonly string[];
  numbering?: string | null;
}

const maxTranslations = 10;
const maxRows = 200;

/** More verses never fit in the rows: in no numbering, more than four verses are in one row. */
const maxPlaces = 4 * maxRows;

const tooManyRows = (count: number, what: string): Error =>
  errors.badUserInput(`reference covers ${count} ${what}; name at most ${maxRows} rows, such as one chapter`);

/** Aligns the verses of a reference in several translations. Throws `badUserInput`, `translationNotFound` and others. */
export function readParallel(store: TextStore, { reference, translations: identifiers, ...given }: ParallelArguments) {
  const repeated = identifiers.find((each, index) => identifiers.indexOf(each) !== index);
  if (identifiers.length < 2 || identifiers.length > maxTranslations)
    throw errors.badUserInput(
      `translations has ${identifiers.length} identifiers; send 2 to ${maxTranslations} different ones`,
    );
  if (repeated !== undefined) throw errors.badUserInput(`translations names ${repeated} twice; name each once`);
  const translations = identifiers.map(store.translation);
  const texts = translations.map(store.parallelText);
  const [first] = translations as [Translation];
  const asked = numberingOf(first, given.numbering ?? null);
  const { text, numbering: marked } = withoutNumberingMark(reference);
  const named = marked ?? asked;
  const shape = parallelShape(named, texts);
  const found = readPlaces(text, { language: first.language, numbering: named }, shape);
  if (found.verses.length > maxPlaces) throw tooManyRows(found.verses.length, 'verses');
  const rows = alignVerses(found.verses, named, texts);
  if (rows.length > maxRows) throw tooManyRows(rows.length, 'rows');
  return {
    reference: found.reference,
    rows: rows.map(
      (row): ParallelRow => ({
        cells: row.map((cell, index) => ({ ...cell, translation: translations[index] as Translation })),
      }),
    ),
  };
}

const versesOf = ({ translation, places }: ParallelCell, context: RequestContext): Promise<Verse[]> =>
  context.existingVerses(translation, places);

export const parallelResolvers = {
  ParallelRow: {
    async differences({ cells }: ParallelRow, args: { from: string; to: string }, context: RequestContext) {
      const [from, to] = [args.from, args.to].map((identifier) => {
        const cell = cells.find(({ translation }) => translation.identifier === identifier);
        if (!cell) throw errors.badUserInput(`from and to must be translations of the field parallel`);
        return versesOf(cell, context);
      });
      const texts = await Promise.all([from, to]);
      const [fromText, toText] = texts.map((verses = []) => verses.map(({ text }) => text).join(' '));
      if (!fromText || !toText) return [];
      // The differences have the whole texts of both translations.
      for (const { translation } of texts.flatMap((verses = []) => verses))
        context.work.verses.add(translation.identifier);
      return context.work.run(() => textDifferences(fromText, toText).map(context.countValue));
    },
  },
  ParallelCell: {
    verses: (cell: ParallelCell, _: unknown, context: RequestContext): Promise<Verse[]> =>
      versesOf(context.countValue(cell), context),
    elsewhere: ({ translation, elsewhere }: ParallelCell, _: unknown, context: RequestContext): VerseKey | null =>
      elsewhere && context.verseKey(translation, elsewhere),
  },
};
