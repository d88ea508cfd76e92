export const translationsQuery = 'query ConcordancePageTranslations { translations { identifier name } }';

/** Everything on the page of a word. Costs 63 of the 300 points that are allowed by default. */
export const wordQuery = `query ConcordancePage($translation: String!, $word: String!) {
  translations { identifier name }
  concordance(translation: $translation, word: $word, first: 10) {
    totalCount
    entry { lemma surfaceForms totalOccurrences verseCount occurrencesByBook { bookId bookName count } }
    edges { node { context verse { reference } } }
  }
  collocates(translation: $translation, word: $word, first: 15) {
    displayForm together before after expected logLikelihood
  }
}`;

/** The response to `wordQuery`. A field is null if the operation has an error for it. */
export interface WordData {
  readonly translations?: readonly { readonly identifier: string; readonly name: string }[] | null;
  readonly concordance?: Concordance | null;
  readonly collocates?: readonly Collocate[] | null;
}

export interface Concordance {
  readonly totalCount: number;
  readonly entry: {
    readonly surfaceForms: readonly string[];
    readonly totalOccurrences: number;
    readonly verseCount: number;
    readonly occurrencesByBook: readonly BookCount[];
  };
  readonly edges: readonly {
    readonly node: { readonly context: string; readonly verse: { readonly reference: string } };
  }[];
}

export interface BookCount {
  readonly bookName: string;
  readonly count: number;
}

interface Collocate {
  readonly displayForm: string;
  readonly together: number;
  readonly before: number;
  readonly after: number;
  readonly expected: number;
  readonly logLikelihood: number;
}
