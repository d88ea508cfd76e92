/** The number of lines on the page of a word. */
const lineCount = 10;

/** The number of collocates on the page of a word. */
const collocateCount = 15;

/** Reads the translations that a reader may choose. */
export const translationsQuery = 'query ConcordancePageTranslations { translations { identifier name } }';

/**
 * Reads everything on the page of a word, in one operation. It costs 63 of the 300 points that are
 * allowed by default.
 */
export const wordQuery = `query ConcordancePage($translation: String!, $word: String!) {
  translations { identifier name }
  concordance(translation: $translation, word: $word, first: ${lineCount}) {
    totalCount
    entry { lemma surfaceForms totalOccurrences verseCount occurrencesByBook { bookId bookName count } }
    edges { node { context verse { reference } } }
  }
  collocates(translation: $translation, word: $word, first: ${collocateCount}) {
    displayForm together before after expected logLikelihood
  }
}`;

export interface TranslationOption {
  readonly identifier: string;
  readonly name: string;
}

export interface BookCount {
  readonly bookId: string;
  readonly bookName: string;
  readonly count: number;
}

export interface Collocate {
  readonly displayForm: string;
  readonly together: number;
  readonly before: number;
  readonly after: number;
  readonly expected: number;
  readonly logLikelihood: number;
}

export interface Concordance {
  readonly totalCount: number;
  readonly entry: {
    readonly lemma: string;
    readonly surfaceForms: readonly string[];
    readonly totalOccurrences: number;
    readonly verseCount: number;
    readonly occurrencesByBook: readonly BookCount[];
  };
  readonly edges: readonly {
    readonly node: { readonly context: string; readonly verse: { readonly reference: string } };
  }[];
}

/** The response to `wordQuery`. A field is null if the operation has an error for it. */
export interface WordData {
  readonly translations?: readonly TranslationOption[] | null;
  readonly concordance?: Concordance | null;
  readonly collocates?: readonly Collocate[] | null;
}
