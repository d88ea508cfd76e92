// `npm run docs` writes this file from documents.graphql and the schema.
import type { DocumentText } from './client.js';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ConcordanceOrder =
  | 'CANONICAL'
  | 'WORD_BEFORE'
  | 'WORD_AFTER';

export type DifferenceKind =
  | 'SAME'
  | 'REMOVED'
  | 'ADDED';

export type DocumentParagraphKind =
  | 'HEADING'
  | 'PARAGRAPH'
  | 'LINE'
  | 'LIST_ITEM';

export type GrammaticalCase =
  | 'NOMINATIVE'
  | 'GENITIVE'
  | 'DATIVE'
  | 'ACCUSATIVE'
  | 'VOCATIVE';

export type GrammaticalDegree =
  | 'COMPARATIVE'
  | 'SUPERLATIVE';

export type GrammaticalGender =
  | 'BOTH'
  | 'COMMON'
  | 'FEMININE'
  | 'MASCULINE'
  | 'NEUTER';

export type GrammaticalNumber =
  | 'SINGULAR'
  | 'DUAL'
  | 'PLURAL';

export type GreekMood =
  | 'INDICATIVE'
  | 'IMPERATIVE'
  | 'SUBJUNCTIVE'
  | 'OPTATIVE'
  | 'INFINITIVE'
  | 'PARTICIPLE';

export type GreekTense =
  | 'PRESENT'
  | 'IMPERFECT'
  | 'FUTURE'
  | 'AORIST'
  | 'PERFECT'
  | 'PLUPERFECT';

export type GreekVoice =
  | 'ACTIVE'
  | 'MIDDLE'
  | 'PASSIVE';

export type HeadingKind =
  | 'PSALM_TITLE'
  | 'SECTION'
  | 'ACROSTIC';

export type HebrewConjugation =
  | 'PERFECT'
  | 'SEQUENTIAL_PERFECT'
  | 'IMPERFECT'
  | 'SEQUENTIAL_IMPERFECT'
  | 'COHORTATIVE'
  | 'JUSSIVE'
  | 'IMPERATIVE'
  | 'ACTIVE_PARTICIPLE'
  | 'PASSIVE_PARTICIPLE'
  | 'INFINITIVE_ABSOLUTE'
  | 'INFINITIVE_CONSTRUCT';

export type HebrewState =
  | 'ABSOLUTE'
  | 'CONSTRUCT'
  | 'DETERMINED';

export type HebrewStem =
  | 'QAL'
  | 'NIPHAL'
  | 'PIEL'
  | 'PUAL'
  | 'HIPHIL'
  | 'HOPHAL'
  | 'HITHPAEL'
  | 'POLEL'
  | 'POLAL'
  | 'HITHPOLEL'
  | 'POEL'
  | 'POAL'
  | 'PALEL'
  | 'PULAL'
  | 'QAL_PASSIVE'
  | 'PILPEL'
  | 'POLPAL'
  | 'HITHPALPEL'
  | 'NITHPAEL'
  | 'PEALAL'
  | 'PILEL'
  | 'HOTHPAAL'
  | 'TIPHIL'
  | 'HISHTAPHEL'
  | 'NITHPALEL'
  | 'NITHPOEL'
  | 'HITHPOEL'
  | 'PEAL'
  | 'PEIL'
  | 'HITHPEEL'
  | 'PAEL'
  | 'ITHPAAL'
  | 'HITHPAAL'
  | 'APHEL'
  | 'HAPHEL'
  | 'SAPHEL'
  | 'SHAPHEL'
  | 'ITHPEEL'
  | 'ISHTAPHEL'
  | 'HITHAPHEL'
  | 'ITHPOEL'
  | 'HEPHAL'
  | 'TIPHEL'
  | 'PALPEL'
  | 'ITHPALPEL'
  | 'ITHPOLEL'
  | 'ITTAPHAL';

export type InterlinearOrder =
  | 'ORIGINAL'
  | 'TRANSLATION';

export type LexiconSpanKind =
  | 'GLOSS'
  | 'WORD'
  | 'LINK'
  | 'GRAMMAR'
  | 'EMPHASIS'
  | 'REFERENCE';

export type MatchReason =
  | 'WORDS'
  | 'MEANING'
  | 'TOPIC'
  | 'NAMED_PASSAGE'
  | 'REFERENCE'
  | 'CARE'
  | 'UNDERSTOOD';

export type NamedPassageKind =
  | 'PARABLE'
  | 'MIRACLE'
  | 'PRAYER'
  | 'SONG'
  | 'SPEECH'
  | 'COVENANT'
  | 'LAW'
  | 'EVENT'
  | 'PROPHECY'
  | 'PSALM'
  | 'SAYING'
  | 'FESTIVAL'
  | 'OTHER';

export type NoteKind =
  | 'TRANSLATION'
  | 'CROSS_REFERENCE';

export type OriginalWordQuery = {
  readonly form?: string | null | undefined;
  readonly lemma?: string | null | undefined;
  readonly strongs?: string | null | undefined;
  readonly partOfSpeech?: PartOfSpeech | null | undefined;
  readonly type?: WordType | null | undefined;
  readonly person?: number | null | undefined;
  readonly gender?: GrammaticalGender | null | undefined;
  readonly number?: GrammaticalNumber | null | undefined;
  readonly case?: GrammaticalCase | null | undefined;
  readonly state?: HebrewState | null | undefined;
  readonly tense?: GreekTense | null | undefined;
  readonly voice?: GreekVoice | null | undefined;
  readonly mood?: GreekMood | null | undefined;
  readonly degree?: GrammaticalDegree | null | undefined;
  readonly stem?: HebrewStem | null | undefined;
  readonly conjugation?: HebrewConjugation | null | undefined;
};

export type ParallelAbsence =
  | 'OMITTED'
  | 'MERGED'
  | 'ELSEWHERE'
  | 'NOT_IN_TRANSLATION';

export type PartOfSpeech =
  | 'ADJECTIVE'
  | 'ADVERB'
  | 'ARTICLE'
  | 'CONJUNCTION'
  | 'INTERJECTION'
  | 'NOUN'
  | 'PARTICLE'
  | 'PREPOSITION'
  | 'PRONOUN'
  | 'SUFFIX'
  | 'VERB';

export type ReferenceStatus =
  | 'OK'
  | 'PARTIAL'
  | 'OUT_OF_RANGE';

export type SearchMode =
  | 'BEST'
  | 'WORDS'
  | 'MEANING'
  | 'HYBRID';

export type SearchOrder =
  | 'RELEVANCE'
  | 'CANONICAL';

export type Testament =
  | 'OLD'
  | 'NEW';

export type TextBreakKind =
  | 'PARAGRAPH'
  | 'LINE'
  | 'STANZA';

export type TextDirection =
  | 'LEFT_TO_RIGHT'
  | 'RIGHT_TO_LEFT';

export type TextMarkKind =
  | 'WORDS_OF_JESUS'
  | 'ADDED_WORDS'
  | 'DIVINE_NAME';

export type TranslationDocumentKind =
  | 'FRONT_MATTER'
  | 'BOOK_INTRODUCTION'
  | 'BACK_MATTER'
  | 'GLOSSARY'
  | 'INDEX'
  | 'OTHER';

export type TranslationFeature =
  | 'PARAGRAPHS'
  | 'POETRY'
  | 'NOTES'
  | 'WORDS_OF_JESUS'
  | 'ADDED_WORDS'
  | 'DIVINE_NAME'
  | 'HEADINGS'
  | 'STRONGS'
  | 'LEMMAS';

export type WordType =
  | 'AFFIRMATION'
  | 'CARDINAL'
  | 'COMMON'
  | 'DEFINITE_ARTICLE'
  | 'DEMONSTRATIVE'
  | 'DIRECTIONAL_HE'
  | 'DIRECT_OBJECT_MARKER'
  | 'EXHORTATION'
  | 'GENTILIC'
  | 'INDEFINITE'
  | 'INTERROGATIVE'
  | 'INTERROGATIVE_OR_INDEFINITE'
  | 'NEGATIVE'
  | 'ORDINAL'
  | 'PARAGOGIC_HE'
  | 'PARAGOGIC_NUN'
  | 'PERSONAL'
  | 'PRONOMINAL'
  | 'PROPER'
  | 'RELATIVE';

export type VerseFieldsFragment = { readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string };

export type LayoutFieldsFragment = { readonly breaks: ReadonlyArray<{ readonly kind: TextBreakKind, readonly start: number, readonly indent: number }>, readonly marks: ReadonlyArray<{ readonly kind: TextMarkKind, readonly start: number, readonly length: number }>, readonly notes: ReadonlyArray<{ readonly kind: NoteKind, readonly start: number, readonly text: string, readonly references: ReadonlyArray<{ readonly reference: string, readonly bookId: string, readonly status: ReferenceStatus, readonly verseCount: number, readonly start: number, readonly length: number }> }>, readonly headings: ReadonlyArray<{ readonly kind: HeadingKind, readonly text: string, readonly start: number }> };

export type ParsedReferenceFieldsFragment = { readonly reference: string, readonly bookId: string, readonly status: ReferenceStatus, readonly verseCount: number, readonly start: number, readonly length: number };

export type PassageFieldsFragment = { readonly reference: string, readonly text: string, readonly translationId: string, readonly translationName: string, readonly translationNote: string | null, readonly verses: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }> };

export type TranslationFieldsFragment = { readonly id: string, readonly identifier: string, readonly name: string, readonly abbrev: string | null, readonly language: string, readonly languageName: string | null, readonly direction: string, readonly note: string | null, readonly attribution: string | null, readonly features: ReadonlyArray<TranslationFeature>, readonly verseCount: number, readonly complete: boolean, readonly hasStrongsTagging: boolean, readonly hasStemming: boolean, readonly hasEmbeddings: boolean | null, readonly concordanceIndexedAt: string | null, readonly offlineDownloadable: boolean, readonly licence: { readonly code: string, readonly holder: string | null, readonly url: string | null, readonly attribution: string, readonly commercial: boolean | null, readonly derivatives: boolean | null, readonly attributionRequired: boolean | null, readonly maxVerses: number | null } };

export type LocalizedBookFieldsFragment = { readonly bookId: string, readonly name: string, readonly testament: string, readonly position: number, readonly chapterCount: number, readonly chapters: ReadonlyArray<{ readonly number: number, readonly verseCount: number }> };

export type ChapterPlaceFieldsFragment = { readonly bookId: string, readonly bookName: string, readonly number: number };

export type StrongsFieldsFragment = { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string };

export type ConcordanceFieldsFragment = { readonly totalCount: number, readonly entry: { readonly lemma: string, readonly totalOccurrences: number, readonly verseCount: number }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly context: string, readonly verse: { readonly id: string, readonly reference: string } } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } };

export type BookCountFieldsFragment = { readonly bookId: string, readonly bookName: string, readonly count: number };

export type SimilarVerseFieldsFragment = { readonly similarity: number, readonly verse: { readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string } };

export type SourceFieldsFragment = { readonly id: string, readonly title: string, readonly author: string | null, readonly year: number | null, readonly licence: string };

export type StudyReferenceFieldsFragment = { readonly reference: string, readonly bookId: string, readonly verseCount: number };

export type TranslationsQueryVariables = Exact<{
  language?: string | null | undefined;
  licence?: string | null | undefined;
  features?: ReadonlyArray<TranslationFeature> | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type TranslationsQuery = { readonly translations: ReadonlyArray<{ readonly id: string, readonly identifier: string, readonly name: string, readonly abbrev: string | null, readonly language: string, readonly languageName: string | null, readonly direction: string, readonly note: string | null, readonly attribution: string | null, readonly features: ReadonlyArray<TranslationFeature>, readonly verseCount: number, readonly complete: boolean, readonly hasStrongsTagging: boolean, readonly hasStemming: boolean, readonly hasEmbeddings: boolean | null, readonly concordanceIndexedAt: string | null, readonly offlineDownloadable: boolean, readonly licence: { readonly code: string, readonly holder: string | null, readonly url: string | null, readonly attribution: string, readonly commercial: boolean | null, readonly derivatives: boolean | null, readonly attributionRequired: boolean | null, readonly maxVerses: number | null } }> | null };

export type TranslationQueryVariables = Exact<{
  identifier: string;
}>;


export type TranslationQuery = { readonly translation: { readonly id: string, readonly identifier: string, readonly name: string, readonly abbrev: string | null, readonly language: string, readonly languageName: string | null, readonly direction: string, readonly note: string | null, readonly attribution: string | null, readonly features: ReadonlyArray<TranslationFeature>, readonly verseCount: number, readonly complete: boolean, readonly hasStrongsTagging: boolean, readonly hasStemming: boolean, readonly hasEmbeddings: boolean | null, readonly concordanceIndexedAt: string | null, readonly offlineDownloadable: boolean, readonly books: ReadonlyArray<{ readonly bookId: string, readonly name: string, readonly testament: string, readonly position: number, readonly chapterCount: number, readonly chapters: ReadonlyArray<{ readonly number: number, readonly verseCount: number }> }>, readonly licence: { readonly code: string, readonly holder: string | null, readonly url: string | null, readonly attribution: string, readonly commercial: boolean | null, readonly derivatives: boolean | null, readonly attributionRequired: boolean | null, readonly maxVerses: number | null } } | null };

export type OfflinePackageQueryVariables = Exact<{
  identifier: string;
  schemaVersion?: number | null | undefined;
}>;


export type OfflinePackageQuery = { readonly translation: { readonly offlinePackage: { readonly url: string, readonly sha256: string, readonly sizeBytes: number, readonly uncompressedSizeBytes: number, readonly schemaVersion: number, readonly verseCount: number, readonly updatedAt: string } | null } | null };

export type LanguagesQueryVariables = Exact<{ [key: string]: never; }>;


export type LanguagesQuery = { readonly languages: ReadonlyArray<{ readonly code: string, readonly name: string, readonly direction: TextDirection, readonly translationCount: number, readonly translations: ReadonlyArray<{ readonly identifier: string, readonly name: string }> }> | null };

export type BooksQueryVariables = Exact<{ [key: string]: never; }>;


export type BooksQuery = { readonly books: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly name: string, readonly testament: string, readonly position: number }> | null };

export type BibleIndexQueryVariables = Exact<{
  translation?: string | null | undefined;
}>;


export type BibleIndexQuery = { readonly bibleIndex: ReadonlyArray<{ readonly bookId: string, readonly name: string, readonly testament: string, readonly position: number, readonly chapterCount: number, readonly chapters: ReadonlyArray<{ readonly number: number, readonly verseCount: number }> }> | null };

export type DocumentFieldsFragment = { readonly code: string, readonly kind: TranslationDocumentKind, readonly title: string, readonly paragraphCount: number };

export type TranslationDocumentsQueryVariables = Exact<{
  translation?: string | null | undefined;
}>;


export type TranslationDocumentsQuery = { readonly translationDocuments: ReadonlyArray<{ readonly code: string, readonly kind: TranslationDocumentKind, readonly title: string, readonly paragraphCount: number }> | null };

export type TranslationDocumentQueryVariables = Exact<{
  code: string;
  translation?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type TranslationDocumentQuery = { readonly translationDocument: { readonly totalCount: number, readonly document: { readonly code: string, readonly kind: TranslationDocumentKind, readonly title: string, readonly paragraphCount: number }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly kind: DocumentParagraphKind, readonly level: number, readonly keyword: string | null, readonly text: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type PassageQueryVariables = Exact<{
  reference: string;
  translation?: string | null | undefined;
}>;


export type PassageQuery = { readonly passage: { readonly reference: string, readonly text: string, readonly translationId: string, readonly translationName: string, readonly translationNote: string | null, readonly verses: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }> } | null };

export type ChapterQueryVariables = Exact<{
  book: string;
  chapter: number;
  translation?: string | null | undefined;
}>;


export type ChapterQuery = { readonly chapter: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }> | null };

export type ReadingChapterQueryVariables = Exact<{
  book: string;
  chapter: number;
  translation?: string | null | undefined;
}>;


export type ReadingChapterQuery = { readonly readingChapter: { readonly number: number, readonly book: { readonly bookId: string, readonly name: string, readonly testament: string, readonly position: number, readonly chapterCount: number }, readonly translation: { readonly identifier: string, readonly name: string, readonly language: string, readonly direction: string, readonly features: ReadonlyArray<TranslationFeature>, readonly licence: { readonly code: string, readonly attribution: string } }, readonly verses: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string, readonly breaks: ReadonlyArray<{ readonly kind: TextBreakKind, readonly start: number, readonly indent: number }>, readonly marks: ReadonlyArray<{ readonly kind: TextMarkKind, readonly start: number, readonly length: number }>, readonly notes: ReadonlyArray<{ readonly kind: NoteKind, readonly start: number, readonly text: string, readonly references: ReadonlyArray<{ readonly reference: string, readonly bookId: string, readonly status: ReferenceStatus, readonly verseCount: number, readonly start: number, readonly length: number }> }>, readonly headings: ReadonlyArray<{ readonly kind: HeadingKind, readonly text: string, readonly start: number }> }>, readonly previous: { readonly bookId: string, readonly bookName: string, readonly number: number } | null, readonly next: { readonly bookId: string, readonly bookName: string, readonly number: number } | null } | null };

export type VerseQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
}>;


export type VerseQuery = { readonly verse: { readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string, readonly previous: { readonly id: string, readonly reference: string } | null, readonly next: { readonly id: string, readonly reference: string } | null } | null };

export type VerseInTranslationQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
  other: string;
}>;


export type VerseInTranslationQuery = { readonly verse: { readonly inTranslation: { readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string } | null } | null };

export type VerseWordsQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
}>;


export type VerseWordsQuery = { readonly verse: { readonly words: ReadonlyArray<{ readonly text: string, readonly start: number, readonly length: number, readonly strongs: ReadonlyArray<{ readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string }> }> | null } | null };

export type VersesQueryVariables = Exact<{
  ids: ReadonlyArray<string | number>;
}>;


export type VersesQuery = { readonly verses: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string, readonly translation: { readonly identifier: string } } | null> };

export type RandomVerseQueryVariables = Exact<{
  books?: string | null | undefined;
  testament?: string | null | undefined;
  translation?: string | null | undefined;
}>;


export type RandomVerseQuery = { readonly randomVerse: { readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string } | null };

export type VerseOfTheDayQueryVariables = Exact<{
  date?: string | null | undefined;
  translation?: string | null | undefined;
}>;


export type VerseOfTheDayQuery = { readonly verseOfTheDay: { readonly reference: string, readonly text: string, readonly translationId: string, readonly translationName: string, readonly translationNote: string | null, readonly verses: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }> } | null };

export type ReferencesQueryVariables = Exact<{
  text: string;
  translation?: string | null | undefined;
}>;


export type ReferencesQuery = { readonly references: ReadonlyArray<{ readonly reference: string, readonly bookId: string, readonly status: ReferenceStatus, readonly verseCount: number, readonly start: number, readonly length: number }> | null };

export type SearchQueryVariables = Exact<{
  query: string;
  limit?: number | null | undefined;
  translation?: string | null | undefined;
  order?: SearchOrder | null | undefined;
}>;


export type SearchQuery = { readonly search: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }> | null };

export type SearchVersesQueryVariables = Exact<{
  query: string;
  translation?: string | null | undefined;
  translations?: ReadonlyArray<string> | null | undefined;
  books?: string | null | undefined;
  testament?: Testament | null | undefined;
  mode?: SearchMode | null | undefined;
  prefix?: boolean | null | undefined;
  order?: SearchOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type SearchVersesQuery = { readonly searchVerses: { readonly totalCount: number, readonly mode: SearchMode, readonly suggestion: string | null, readonly correctedQuery: string | null, readonly relaxed: ReadonlyArray<string> | null, readonly reference: string | null, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly similarity: number | null, readonly matchedBy: ReadonlyArray<MatchReason>, readonly matches: ReadonlyArray<{ readonly start: number, readonly length: number }>, readonly node: { readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string, readonly translation: { readonly identifier: string } }, readonly alsoIn: ReadonlyArray<{ readonly id: string, readonly reference: string, readonly text: string, readonly translation: { readonly identifier: string } }> }>, readonly facets: { readonly byBook: ReadonlyArray<{ readonly bookId: string, readonly bookName: string, readonly count: number }>, readonly byTestament: { readonly old: number, readonly new: number } }, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type SemanticSearchQueryVariables = Exact<{
  query: string;
  limit?: number | null | undefined;
  translation?: string | null | undefined;
}>;


export type SemanticSearchQuery = { readonly semanticSearch: ReadonlyArray<{ readonly similarity: number, readonly verse: { readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string } }> | null };

export type SemanticTopicsQueryVariables = Exact<{
  query: string;
  limit?: number | null | undefined;
}>;


export type SemanticTopicsQuery = { readonly semanticTopics: ReadonlyArray<{ readonly similarity: number, readonly topic: { readonly id: string, readonly name: string, readonly verseCount: number } }> | null };

export type SimilarVersesQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
  limit?: number | null | undefined;
}>;


export type SimilarVersesQuery = { readonly verse: { readonly similar: ReadonlyArray<{ readonly similarity: number, readonly verse: { readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string } }> | null } | null };

export type ConcordanceQueryVariables = Exact<{
  translation: string;
  word: string;
  book?: string | null | undefined;
  testament?: Testament | null | undefined;
  order?: ConcordanceOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ConcordanceQuery = { readonly concordance: { readonly totalCount: number, readonly entry: { readonly lemma: string, readonly totalOccurrences: number, readonly verseCount: number }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly context: string, readonly verse: { readonly id: string, readonly reference: string } } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type StrongsConcordanceQueryVariables = Exact<{
  translation: string;
  number: string;
  book?: string | null | undefined;
  testament?: Testament | null | undefined;
  order?: ConcordanceOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type StrongsConcordanceQuery = { readonly strongsConcordance: { readonly totalCount: number, readonly entry: { readonly lemma: string, readonly totalOccurrences: number, readonly verseCount: number }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly context: string, readonly verse: { readonly id: string, readonly reference: string } } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type WordDistributionQueryVariables = Exact<{
  translation: string;
  word: string;
}>;


export type WordDistributionQuery = { readonly concordance: { readonly entry: { readonly lemma: string, readonly surfaceForms: ReadonlyArray<string>, readonly totalOccurrences: number, readonly verseCount: number, readonly occurrencesByTestament: { readonly old: number, readonly new: number }, readonly occurrencesByBook: ReadonlyArray<{ readonly bookId: string, readonly bookName: string, readonly count: number }>, readonly occurrencesByChapter: ReadonlyArray<{ readonly bookId: string, readonly bookName: string, readonly counts: ReadonlyArray<number> }> } } | null };

export type ConcordanceIndexQueryVariables = Exact<{
  translation: string;
  prefix?: string | null | undefined;
  minOccurrences?: number | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ConcordanceIndexQuery = { readonly concordanceIndex: ReadonlyArray<{ readonly lemma: string, readonly cursor: string, readonly displayForm: string, readonly verseCount: number, readonly totalOccurrences: number }> | null };

export type CollocatesQueryVariables = Exact<{
  translation: string;
  word: string;
  window?: number | null | undefined;
  minOccurrences?: number | null | undefined;
  includeFunctionWords?: boolean | null | undefined;
  first?: number | null | undefined;
}>;


export type CollocatesQuery = { readonly collocates: ReadonlyArray<{ readonly lemma: string, readonly displayForm: string, readonly together: number, readonly expected: number, readonly logLikelihood: number, readonly before: number, readonly after: number }> | null };

export type StrongsQueryVariables = Exact<{
  number: string;
}>;


export type StrongsQuery = { readonly strongs: { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string } | null };

export type TopicsQueryVariables = Exact<{
  query?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type TopicsQuery = { readonly topics: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly name: string, readonly verseCount: number } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type TopicQueryVariables = Exact<{
  name: string;
}>;


export type TopicQuery = { readonly topic: { readonly id: string, readonly name: string, readonly verseCount: number, readonly source: { readonly id: string, readonly title: string, readonly author: string | null, readonly year: number | null, readonly licence: string }, readonly sections: ReadonlyArray<{ readonly heading: string | null, readonly entries: ReadonlyArray<{ readonly text: string | null, readonly references: ReadonlyArray<{ readonly reference: string, readonly bookId: string, readonly verseCount: number }> }> }>, readonly seeAlso: ReadonlyArray<{ readonly id: string, readonly name: string }> } | null };

export type VerseTopicsQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
  first?: number | null | undefined;
}>;


export type VerseTopicsQuery = { readonly verse: { readonly topics: ReadonlyArray<{ readonly section: string | null, readonly entry: string | null, readonly topic: { readonly id: string, readonly name: string } }> | null } | null };

export type NamedPassagesQueryVariables = Exact<{
  query?: string | null | undefined;
  language?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type NamedPassagesQuery = { readonly namedPassages: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly name: string, readonly language: string, readonly otherNames: ReadonlyArray<string>, readonly kind: NamedPassageKind, readonly passages: ReadonlyArray<{ readonly reference: string }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null } } | null };

export type VerseNamedPassagesQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
  first?: number | null | undefined;
}>;


export type VerseNamedPassagesQuery = { readonly verse: { readonly namedPassages: ReadonlyArray<{ readonly id: string, readonly name: string, readonly language: string, readonly otherNames: ReadonlyArray<string>, readonly kind: NamedPassageKind, readonly passages: ReadonlyArray<{ readonly reference: string }> }> | null } | null };

export type NamedPassageFieldsFragment = { readonly id: string, readonly name: string, readonly language: string, readonly otherNames: ReadonlyArray<string>, readonly kind: NamedPassageKind, readonly passages: ReadonlyArray<{ readonly reference: string }> };

export type CrossReferencesQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
  first?: number | null | undefined;
}>;


export type CrossReferencesQuery = { readonly verse: { readonly crossReferences: ReadonlyArray<{ readonly reference: string, readonly verses: ReadonlyArray<{ readonly id: string, readonly bookId: string, readonly bookName: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }>, readonly sources: ReadonlyArray<{ readonly id: string, readonly title: string, readonly author: string | null, readonly year: number | null, readonly licence: string }> }> | null } | null };

export type CommentaryQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
  source?: string | number | null | undefined;
  first?: number | null | undefined;
}>;


export type CommentaryQuery = { readonly verse: { readonly commentary: ReadonlyArray<{ readonly reference: string, readonly heading: string | null, readonly text: string, readonly references: ReadonlyArray<{ readonly start: number, readonly length: number, readonly target: { readonly reference: string, readonly bookId: string, readonly verseCount: number } }>, readonly commentary: { readonly id: string, readonly source: { readonly id: string, readonly title: string, readonly author: string | null, readonly year: number | null, readonly licence: string } } }> | null } | null };

export type CommentariesQueryVariables = Exact<{ [key: string]: never; }>;


export type CommentariesQuery = { readonly commentaries: ReadonlyArray<{ readonly id: string, readonly noteCount: number, readonly source: { readonly id: string, readonly title: string, readonly author: string | null, readonly year: number | null, readonly licence: string } }> | null };

export type OriginalTextsQueryVariables = Exact<{ [key: string]: never; }>;


export type OriginalTextsQuery = { readonly originalTexts: ReadonlyArray<{ readonly id: string, readonly title: string, readonly edition: string, readonly language: string, readonly direction: TextDirection, readonly attribution: string, readonly licence: { readonly code: string, readonly holder: string | null, readonly url: string | null, readonly attribution: string } | null }> | null };

export type OriginalTextFieldsFragment = { readonly id: string, readonly title: string, readonly edition: string, readonly language: string, readonly direction: TextDirection, readonly attribution: string, readonly licence: { readonly code: string, readonly holder: string | null, readonly url: string | null, readonly attribution: string } | null };

export type OriginalVersesQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
  text?: string | number | null | undefined;
}>;


export type OriginalVersesQuery = { readonly verse: { readonly original: ReadonlyArray<{ readonly isPartial: boolean, readonly reference: string, readonly bookId: string, readonly chapter: number, readonly verse: number, readonly verses: ReadonlyArray<{ readonly reference: string }>, readonly words: ReadonlyArray<{ readonly id: string, readonly surface: string, readonly plain: string, readonly unpointed: string, readonly transliteration: string, readonly language: string, readonly lemma: string, readonly strongsNumber: string | null, readonly strongsLetter: string | null, readonly gloss: string | null, readonly qere: string | null, readonly before: string, readonly after: string, readonly segments: ReadonlyArray<{ readonly surface: string, readonly lemma: string | null, readonly strongsNumber: string | null, readonly gloss: string | null, readonly parsing: { readonly code: string, readonly description: string, readonly partOfSpeech: PartOfSpeech, readonly type: WordType | null, readonly person: number | null, readonly gender: GrammaticalGender | null, readonly number: GrammaticalNumber | null, readonly case: GrammaticalCase | null, readonly state: HebrewState | null, readonly tense: GreekTense | null, readonly voice: GreekVoice | null, readonly mood: GreekMood | null, readonly degree: GrammaticalDegree | null, readonly stem: HebrewStem | null, readonly conjugation: HebrewConjugation | null } }>, readonly parsing: { readonly code: string, readonly description: string, readonly partOfSpeech: PartOfSpeech, readonly type: WordType | null, readonly person: number | null, readonly gender: GrammaticalGender | null, readonly number: GrammaticalNumber | null, readonly case: GrammaticalCase | null, readonly state: HebrewState | null, readonly tense: GreekTense | null, readonly voice: GreekVoice | null, readonly mood: GreekMood | null, readonly degree: GrammaticalDegree | null, readonly stem: HebrewStem | null, readonly conjugation: HebrewConjugation | null } }>, readonly text: { readonly id: string, readonly title: string, readonly direction: TextDirection } }> | null } | null };

export type OriginalVerseFieldsFragment = { readonly reference: string, readonly bookId: string, readonly chapter: number, readonly verse: number, readonly text: { readonly id: string, readonly title: string, readonly direction: TextDirection } };

export type OriginalWordFieldsFragment = { readonly id: string, readonly surface: string, readonly plain: string, readonly unpointed: string, readonly transliteration: string, readonly language: string, readonly lemma: string, readonly strongsNumber: string | null, readonly strongsLetter: string | null, readonly gloss: string | null, readonly qere: string | null, readonly before: string, readonly after: string, readonly parsing: { readonly code: string, readonly description: string, readonly partOfSpeech: PartOfSpeech, readonly type: WordType | null, readonly person: number | null, readonly gender: GrammaticalGender | null, readonly number: GrammaticalNumber | null, readonly case: GrammaticalCase | null, readonly state: HebrewState | null, readonly tense: GreekTense | null, readonly voice: GreekVoice | null, readonly mood: GreekMood | null, readonly degree: GrammaticalDegree | null, readonly stem: HebrewStem | null, readonly conjugation: HebrewConjugation | null } };

export type ParsingFieldsFragment = { readonly code: string, readonly description: string, readonly partOfSpeech: PartOfSpeech, readonly type: WordType | null, readonly person: number | null, readonly gender: GrammaticalGender | null, readonly number: GrammaticalNumber | null, readonly case: GrammaticalCase | null, readonly state: HebrewState | null, readonly tense: GreekTense | null, readonly voice: GreekVoice | null, readonly mood: GreekMood | null, readonly degree: GrammaticalDegree | null, readonly stem: HebrewStem | null, readonly conjugation: HebrewConjugation | null };

export type InterlinearQueryVariables = Exact<{
  book: string;
  chapter: number;
  verse: number;
  translation?: string | null | undefined;
  order?: InterlinearOrder | null | undefined;
}>;


export type InterlinearQuery = { readonly verse: { readonly interlinear: ReadonlyArray<{ readonly rendering: string | null, readonly originalWords: ReadonlyArray<{ readonly id: string, readonly surface: string, readonly plain: string, readonly transliteration: string, readonly language: string, readonly lemma: string, readonly strongsNumber: string | null, readonly strongsLetter: string | null, readonly gloss: string | null, readonly parsing: { readonly description: string } }>, readonly words: ReadonlyArray<{ readonly text: string, readonly start: number, readonly length: number }> }> | null } | null };

export type InterlinearPassageQueryVariables = Exact<{
  reference: string;
  translation?: string | null | undefined;
  order?: InterlinearOrder | null | undefined;
}>;


export type InterlinearPassageQuery = { readonly passage: { readonly reference: string, readonly verses: ReadonlyArray<{ readonly id: string, readonly reference: string, readonly verse: number, readonly interlinear: ReadonlyArray<{ readonly rendering: string | null, readonly originalWords: ReadonlyArray<{ readonly id: string, readonly surface: string, readonly plain: string, readonly transliteration: string, readonly language: string, readonly lemma: string, readonly strongsNumber: string | null, readonly strongsLetter: string | null, readonly gloss: string | null, readonly parsing: { readonly description: string } }>, readonly words: ReadonlyArray<{ readonly text: string, readonly start: number, readonly length: number }> }> | null }> } | null };

export type InterlinearFieldsFragment = { readonly rendering: string | null, readonly originalWords: ReadonlyArray<{ readonly id: string, readonly surface: string, readonly plain: string, readonly transliteration: string, readonly language: string, readonly lemma: string, readonly strongsNumber: string | null, readonly strongsLetter: string | null, readonly gloss: string | null, readonly parsing: { readonly description: string } }>, readonly words: ReadonlyArray<{ readonly text: string, readonly start: number, readonly length: number }> };

export type SearchOriginalsQueryVariables = Exact<{
  words: ReadonlyArray<OriginalWordQuery>;
  text?: string | number | null | undefined;
  books?: string | null | undefined;
  testament?: Testament | null | undefined;
  withinWords?: number | null | undefined;
  ordered?: boolean | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  translation?: string | null | undefined;
  withVerses?: boolean | null | undefined;
}>;


export type SearchOriginalsQuery = { readonly searchOriginals: { readonly totalCount: number, readonly wordCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly reference: string, readonly bookId: string, readonly chapter: number, readonly verse: number, readonly verses?: ReadonlyArray<{ readonly reference: string, readonly text: string }>, readonly text: { readonly id: string, readonly title: string, readonly direction: TextDirection } }, readonly matches: ReadonlyArray<{ readonly id: string, readonly surface: string, readonly plain: string, readonly transliteration: string, readonly language: string, readonly lemma: string, readonly parsing: { readonly description: string } }> }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly facets: { readonly byBook: ReadonlyArray<{ readonly bookId: string, readonly bookName: string, readonly count: number }>, readonly byForm: ReadonlyArray<{ readonly form: string, readonly count: number }>, readonly byParsing: ReadonlyArray<{ readonly count: number, readonly parsing: { readonly description: string } }> } } | null };

export type LexiconEntryQueryVariables = Exact<{
  id: string | number;
}>;


export type LexiconEntryQuery = { readonly lexiconEntry: { readonly id: string, readonly headword: string, readonly homograph: string | null, readonly transliteration: string | null, readonly partOfSpeech: string | null, readonly language: string, readonly gloss: string | null, readonly text: string, readonly numbers: ReadonlyArray<{ readonly number: string, readonly letter: string | null, readonly strongs: { readonly lemma: string | null } }>, readonly spans: ReadonlyArray<{ readonly start: number, readonly length: number, readonly kind: LexiconSpanKind, readonly language: string | null, readonly entryId: string | null, readonly reference: { readonly reference: string, readonly bookId: string, readonly verseCount: number } | null }>, readonly derivation: { readonly text: string, readonly spans: ReadonlyArray<{ readonly start: number, readonly length: number, readonly kind: LexiconSpanKind, readonly language: string | null, readonly entryId: string | null, readonly reference: { readonly reference: string, readonly bookId: string, readonly verseCount: number } | null }> } | null, readonly senses: ReadonlyArray<{ readonly number: string | null, readonly level: number, readonly stem: string | null, readonly gloss: string | null, readonly text: string, readonly spans: ReadonlyArray<{ readonly start: number, readonly length: number, readonly kind: LexiconSpanKind, readonly language: string | null, readonly entryId: string | null, readonly reference: { readonly reference: string, readonly bookId: string, readonly verseCount: number } | null }> }>, readonly related: ReadonlyArray<{ readonly id: string, readonly headword: string }>, readonly occurrences: { readonly totalCount: number, readonly formCount: number, readonly byBook: ReadonlyArray<{ readonly bookId: string, readonly count: number }>, readonly byForm: ReadonlyArray<{ readonly form: string, readonly count: number }> }, readonly lexicon: { readonly id: string, readonly title: string, readonly author: string, readonly year: number, readonly licence: { readonly code: string, readonly holder: string | null, readonly url: string | null, readonly attribution: string } } } | null };

export type LexiconEntryFieldsFragment = { readonly id: string, readonly headword: string, readonly homograph: string | null, readonly transliteration: string | null, readonly partOfSpeech: string | null, readonly language: string, readonly gloss: string | null, readonly text: string, readonly lexicon: { readonly id: string, readonly title: string, readonly author: string, readonly year: number, readonly licence: { readonly code: string, readonly holder: string | null, readonly url: string | null, readonly attribution: string } } };

export type LexiconSpanFieldsFragment = { readonly start: number, readonly length: number, readonly kind: LexiconSpanKind, readonly language: string | null, readonly entryId: string | null, readonly reference: { readonly reference: string, readonly bookId: string, readonly verseCount: number } | null };

export type StrongsLexiconsQueryVariables = Exact<{
  number: string;
  translation: string;
  first?: number | null | undefined;
}>;


export type StrongsLexiconsQuery = { readonly strongs: { readonly renderings: ReadonlyArray<{ readonly form: string, readonly occurrences: number, readonly verses: number }> | null, readonly lexicons: ReadonlyArray<{ readonly id: string, readonly headword: string, readonly homograph: string | null, readonly transliteration: string | null, readonly partOfSpeech: string | null, readonly language: string, readonly gloss: string | null, readonly text: string, readonly numbers: ReadonlyArray<{ readonly number: string, readonly letter: string | null }>, readonly senses: ReadonlyArray<{ readonly number: string | null, readonly level: number, readonly stem: string | null, readonly gloss: string | null, readonly text: string }>, readonly lexicon: { readonly id: string, readonly title: string, readonly author: string, readonly year: number, readonly licence: { readonly code: string, readonly holder: string | null, readonly url: string | null, readonly attribution: string } } }> | null } | null };

export type ParallelTextsQueryVariables = Exact<{
  reference: string;
  translations: ReadonlyArray<string>;
  numbering?: string | null | undefined;
  from: string;
  to: string;
}>;


export type ParallelTextsQuery = { readonly parallel: { readonly reference: string, readonly rows: ReadonlyArray<{ readonly cells: ReadonlyArray<{ readonly absence: ParallelAbsence | null, readonly translation: { readonly identifier: string }, readonly verses: ReadonlyArray<{ readonly id: string, readonly reference: string, readonly text: string }>, readonly elsewhere: { readonly reference: string } | null }>, readonly differences: ReadonlyArray<{ readonly kind: DifferenceKind, readonly text: string }> }> } | null };

export type TextVersionsQueryVariables = Exact<{
  translation: string;
}>;


export type TextVersionsQuery = { readonly translation: { readonly version: string, readonly changedAt: string, readonly books: ReadonlyArray<{ readonly bookId: string, readonly version: string, readonly chapters: ReadonlyArray<{ readonly number: number, readonly version: string }> }> } | null };

export const TranslationsDocument = 'query Translations($language:String$licence:String$features:[TranslationFeature!]$first:Int$after:String){translations(language:$language licence:$licence features:$features first:$first after:$after){...TranslationFields}}fragment TranslationFields on Translation{id identifier name abbrev language languageName direction note attribution features licence{code holder url attribution commercial derivatives attributionRequired maxVerses}verseCount complete hasStrongsTagging hasStemming hasEmbeddings concordanceIndexedAt offlineDownloadable}' as DocumentText<TranslationsQuery, TranslationsQueryVariables>;
export const TranslationDocument = 'query Translation($identifier:String!){translation(identifier:$identifier){...TranslationFields books{...LocalizedBookFields}}}fragment TranslationFields on Translation{id identifier name abbrev language languageName direction note attribution features licence{code holder url attribution commercial derivatives attributionRequired maxVerses}verseCount complete hasStrongsTagging hasStemming hasEmbeddings concordanceIndexedAt offlineDownloadable}fragment LocalizedBookFields on LocalizedBook{bookId name testament position chapterCount chapters{number verseCount}}' as DocumentText<TranslationQuery, TranslationQueryVariables>;
export const OfflinePackageDocument = 'query OfflinePackage($identifier:String!$schemaVersion:Int){translation(identifier:$identifier){offlinePackage(schemaVersion:$schemaVersion){url sha256 sizeBytes uncompressedSizeBytes schemaVersion verseCount updatedAt}}}' as DocumentText<OfflinePackageQuery, OfflinePackageQueryVariables>;
export const LanguagesDocument = 'query Languages{languages{code name direction translationCount translations{identifier name}}}' as DocumentText<LanguagesQuery, LanguagesQueryVariables>;
export const BooksDocument = 'query Books{books{id bookId name testament position}}' as DocumentText<BooksQuery, BooksQueryVariables>;
export const BibleIndexDocument = 'query BibleIndex($translation:String){bibleIndex(translation:$translation){...LocalizedBookFields}}fragment LocalizedBookFields on LocalizedBook{bookId name testament position chapterCount chapters{number verseCount}}' as DocumentText<BibleIndexQuery, BibleIndexQueryVariables>;
export const TranslationDocumentsDocument = 'query TranslationDocuments($translation:String){translationDocuments(translation:$translation){...DocumentFields}}fragment DocumentFields on TranslationDocument{code kind title paragraphCount}' as DocumentText<TranslationDocumentsQuery, TranslationDocumentsQueryVariables>;
export const TranslationDocumentDocument = 'query TranslationDocument($code:String!$translation:String$first:Int$after:String){translationDocument(code:$code translation:$translation first:$first after:$after){document{...DocumentFields}totalCount edges{cursor node{kind level keyword text}}pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}fragment DocumentFields on TranslationDocument{code kind title paragraphCount}' as DocumentText<TranslationDocumentQuery, TranslationDocumentQueryVariables>;
export const PassageDocument = 'query Passage($reference:String!$translation:String){passage(reference:$reference translation:$translation){...PassageFields}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}fragment PassageFields on Passage{reference text translationId translationName translationNote verses{...VerseFields}}' as DocumentText<PassageQuery, PassageQueryVariables>;
export const ChapterDocument = 'query Chapter($book:String!$chapter:Int!$translation:String){chapter(book:$book chapter:$chapter translation:$translation){...VerseFields}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}' as DocumentText<ChapterQuery, ChapterQueryVariables>;
export const ReadingChapterDocument = 'query ReadingChapter($book:String!$chapter:Int!$translation:String){readingChapter(book:$book chapter:$chapter translation:$translation){number book{bookId name testament position chapterCount}translation{identifier name language direction features licence{code attribution}}verses{...VerseFields ...LayoutFields}previous{...ChapterPlaceFields}next{...ChapterPlaceFields}}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}fragment LayoutFields on Verse{breaks{kind start indent}marks{kind start length}notes{kind start text references{...ParsedReferenceFields}}headings{kind text start}}fragment ParsedReferenceFields on ParsedReference{reference bookId status verseCount start length}fragment ChapterPlaceFields on ChapterPlace{bookId bookName number}' as DocumentText<ReadingChapterQuery, ReadingChapterQueryVariables>;
export const VerseDocument = 'query Verse($book:String!$chapter:Int!$verse:Int!$translation:String){verse(book:$book chapter:$chapter verse:$verse translation:$translation){...VerseFields previous{id reference}next{id reference}}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}' as DocumentText<VerseQuery, VerseQueryVariables>;
export const VerseInTranslationDocument = 'query VerseInTranslation($book:String!$chapter:Int!$verse:Int!$translation:String$other:String!){verse(book:$book chapter:$chapter verse:$verse translation:$translation){inTranslation(identifier:$other){...VerseFields}}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}' as DocumentText<VerseInTranslationQuery, VerseInTranslationQueryVariables>;
export const VerseWordsDocument = 'query VerseWords($book:String!$chapter:Int!$verse:Int!$translation:String){verse(book:$book chapter:$chapter verse:$verse translation:$translation){words{text start length strongs{...StrongsFields}}}}fragment StrongsFields on StrongsEntry{number lemma transliteration definition language}' as DocumentText<VerseWordsQuery, VerseWordsQueryVariables>;
export const VersesDocument = 'query Verses($ids:[ID!]!){verses(ids:$ids){...VerseFields translation{identifier}}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}' as DocumentText<VersesQuery, VersesQueryVariables>;
export const RandomVerseDocument = 'query RandomVerse($books:String$testament:String$translation:String){randomVerse(books:$books testament:$testament translation:$translation){...VerseFields}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}' as DocumentText<RandomVerseQuery, RandomVerseQueryVariables>;
export const VerseOfTheDayDocument = 'query VerseOfTheDay($date:ISO8601Date$translation:String){verseOfTheDay(date:$date translation:$translation){...PassageFields}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}fragment PassageFields on Passage{reference text translationId translationName translationNote verses{...VerseFields}}' as DocumentText<VerseOfTheDayQuery, VerseOfTheDayQueryVariables>;
export const ReferencesDocument = 'query References($text:String!$translation:String){references(text:$text translation:$translation){...ParsedReferenceFields}}fragment ParsedReferenceFields on ParsedReference{reference bookId status verseCount start length}' as DocumentText<ReferencesQuery, ReferencesQueryVariables>;
export const SearchDocument = 'query Search($query:String!$limit:Int$translation:String$order:SearchOrder){search(query:$query limit:$limit translation:$translation order:$order){...VerseFields}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}' as DocumentText<SearchQuery, SearchQueryVariables>;
export const SearchVersesDocument = 'query SearchVerses($query:String!$translation:String$translations:[String!]$books:String$testament:Testament$mode:SearchMode$prefix:Boolean$order:SearchOrder$first:Int$after:String){searchVerses(query:$query translation:$translation translations:$translations books:$books testament:$testament mode:$mode prefix:$prefix order:$order first:$first after:$after){totalCount mode suggestion correctedQuery relaxed reference edges{cursor similarity matchedBy matches{start length}node{...VerseFields translation{identifier}}alsoIn{id reference text translation{identifier}}}facets{byBook{...BookCountFields}byTestament{old new}}pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}fragment BookCountFields on BookCount{bookId bookName count}' as DocumentText<SearchVersesQuery, SearchVersesQueryVariables>;
export const SemanticSearchDocument = 'query SemanticSearch($query:String!$limit:Int$translation:String){semanticSearch(query:$query limit:$limit translation:$translation){...SimilarVerseFields}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}fragment SimilarVerseFields on SemanticSearchResult{similarity verse{...VerseFields}}' as DocumentText<SemanticSearchQuery, SemanticSearchQueryVariables>;
export const SemanticTopicsDocument = 'query SemanticTopics($query:String!$limit:Int){semanticTopics(query:$query limit:$limit){similarity topic{id name verseCount}}}' as DocumentText<SemanticTopicsQuery, SemanticTopicsQueryVariables>;
export const SimilarVersesDocument = 'query SimilarVerses($book:String!$chapter:Int!$verse:Int!$translation:String$limit:Int){verse(book:$book chapter:$chapter verse:$verse translation:$translation){similar(limit:$limit){...SimilarVerseFields}}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}fragment SimilarVerseFields on SemanticSearchResult{similarity verse{...VerseFields}}' as DocumentText<SimilarVersesQuery, SimilarVersesQueryVariables>;
export const ConcordanceDocument = 'query Concordance($translation:String!$word:String!$book:String$testament:Testament$order:ConcordanceOrder$first:Int$after:String){concordance(translation:$translation word:$word book:$book testament:$testament order:$order first:$first after:$after){...ConcordanceFields}}fragment ConcordanceFields on ConcordanceConnection{totalCount entry{lemma totalOccurrences verseCount}edges{cursor node{context verse{id reference}}}pageInfo{hasNextPage endCursor}}' as DocumentText<ConcordanceQuery, ConcordanceQueryVariables>;
export const StrongsConcordanceDocument = 'query StrongsConcordance($translation:String!$number:String!$book:String$testament:Testament$order:ConcordanceOrder$first:Int$after:String){strongsConcordance(translation:$translation number:$number book:$book testament:$testament order:$order first:$first after:$after){...ConcordanceFields}}fragment ConcordanceFields on ConcordanceConnection{totalCount entry{lemma totalOccurrences verseCount}edges{cursor node{context verse{id reference}}}pageInfo{hasNextPage endCursor}}' as DocumentText<StrongsConcordanceQuery, StrongsConcordanceQueryVariables>;
export const WordDistributionDocument = 'query WordDistribution($translation:String!$word:String!){concordance(translation:$translation word:$word first:1){entry{lemma surfaceForms totalOccurrences verseCount occurrencesByTestament{old new}occurrencesByBook{...BookCountFields}occurrencesByChapter{bookId bookName counts}}}}fragment BookCountFields on BookCount{bookId bookName count}' as DocumentText<WordDistributionQuery, WordDistributionQueryVariables>;
export const ConcordanceIndexDocument = 'query ConcordanceIndex($translation:String!$prefix:String$minOccurrences:Int$first:Int$after:String){concordanceIndex(translation:$translation prefix:$prefix minOccurrences:$minOccurrences first:$first after:$after){lemma cursor displayForm verseCount totalOccurrences}}' as DocumentText<ConcordanceIndexQuery, ConcordanceIndexQueryVariables>;
export const CollocatesDocument = 'query Collocates($translation:String!$word:String!$window:Int$minOccurrences:Int$includeFunctionWords:Boolean$first:Int){collocates(translation:$translation word:$word window:$window minOccurrences:$minOccurrences includeFunctionWords:$includeFunctionWords first:$first){lemma displayForm together expected logLikelihood before after}}' as DocumentText<CollocatesQuery, CollocatesQueryVariables>;
export const StrongsDocument = 'query Strongs($number:String!){strongs(number:$number){...StrongsFields}}fragment StrongsFields on StrongsEntry{number lemma transliteration definition language}' as DocumentText<StrongsQuery, StrongsQueryVariables>;
export const TopicsDocument = 'query Topics($query:String$first:Int$after:String){topics(query:$query first:$first after:$after){totalCount edges{cursor node{id name verseCount}}pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}' as DocumentText<TopicsQuery, TopicsQueryVariables>;
export const TopicDocument = 'query Topic($name:String!){topic(name:$name){id name verseCount source{...SourceFields}sections{heading entries{text references{...StudyReferenceFields}}}seeAlso{id name}}}fragment SourceFields on StudySource{id title author year licence}fragment StudyReferenceFields on StudyReference{reference bookId verseCount}' as DocumentText<TopicQuery, TopicQueryVariables>;
export const VerseTopicsDocument = 'query VerseTopics($book:String!$chapter:Int!$verse:Int!$translation:String$first:Int){verse(book:$book chapter:$chapter verse:$verse translation:$translation){topics(first:$first){section entry topic{id name}}}}' as DocumentText<VerseTopicsQuery, VerseTopicsQueryVariables>;
export const NamedPassagesDocument = 'query NamedPassages($query:String$language:String$first:Int$after:String){namedPassages(query:$query language:$language first:$first after:$after){totalCount edges{cursor node{...NamedPassageFields}}pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}fragment NamedPassageFields on NamedPassage{id name language otherNames kind passages{reference}}' as DocumentText<NamedPassagesQuery, NamedPassagesQueryVariables>;
export const VerseNamedPassagesDocument = 'query VerseNamedPassages($book:String!$chapter:Int!$verse:Int!$translation:String$first:Int){verse(book:$book chapter:$chapter verse:$verse translation:$translation){namedPassages(first:$first){...NamedPassageFields}}}fragment NamedPassageFields on NamedPassage{id name language otherNames kind passages{reference}}' as DocumentText<VerseNamedPassagesQuery, VerseNamedPassagesQueryVariables>;
export const CrossReferencesDocument = 'query CrossReferences($book:String!$chapter:Int!$verse:Int!$translation:String$first:Int){verse(book:$book chapter:$chapter verse:$verse translation:$translation){crossReferences(first:$first){reference verses{...VerseFields}sources{...SourceFields}}}}fragment VerseFields on Verse{id bookId bookName chapter verse reference text}fragment SourceFields on StudySource{id title author year licence}' as DocumentText<CrossReferencesQuery, CrossReferencesQueryVariables>;
export const CommentaryDocument = 'query Commentary($book:String!$chapter:Int!$verse:Int!$translation:String$source:ID$first:Int){verse(book:$book chapter:$chapter verse:$verse translation:$translation){commentary(source:$source first:$first){reference heading text references{start length target{...StudyReferenceFields}}commentary{id source{...SourceFields}}}}}fragment SourceFields on StudySource{id title author year licence}fragment StudyReferenceFields on StudyReference{reference bookId verseCount}' as DocumentText<CommentaryQuery, CommentaryQueryVariables>;
export const CommentariesDocument = 'query Commentaries{commentaries{id noteCount source{...SourceFields}}}fragment SourceFields on StudySource{id title author year licence}' as DocumentText<CommentariesQuery, CommentariesQueryVariables>;
export const OriginalTextsDocument = 'query OriginalTexts{originalTexts{...OriginalTextFields}}fragment OriginalTextFields on OriginalText{id title edition language direction licence{code holder url attribution}attribution}' as DocumentText<OriginalTextsQuery, OriginalTextsQueryVariables>;
export const OriginalVersesDocument = 'query OriginalVerses($book:String!$chapter:Int!$verse:Int!$translation:String$text:ID){verse(book:$book chapter:$chapter verse:$verse translation:$translation){original(text:$text){...OriginalVerseFields isPartial verses(translation:$translation){reference}words{...OriginalWordFields segments{surface lemma strongsNumber gloss parsing{...ParsingFields}}}}}}fragment OriginalVerseFields on OriginalVerse{text{id title direction}reference bookId chapter verse}fragment OriginalWordFields on OriginalWord{id surface plain unpointed transliteration language lemma strongsNumber strongsLetter gloss qere before after parsing{...ParsingFields}}fragment ParsingFields on Parsing{code description partOfSpeech type person gender number case state tense voice mood degree stem conjugation}' as DocumentText<OriginalVersesQuery, OriginalVersesQueryVariables>;
export const InterlinearDocument = 'query Interlinear($book:String!$chapter:Int!$verse:Int!$translation:String$order:InterlinearOrder){verse(book:$book chapter:$chapter verse:$verse translation:$translation){interlinear(order:$order){...InterlinearFields}}}fragment InterlinearFields on InterlinearColumn{originalWords{id surface plain transliteration language lemma strongsNumber strongsLetter gloss parsing{description}}rendering words{text start length}}' as DocumentText<InterlinearQuery, InterlinearQueryVariables>;
export const InterlinearPassageDocument = 'query InterlinearPassage($reference:String!$translation:String$order:InterlinearOrder){passage(reference:$reference translation:$translation){reference verses{id reference verse interlinear(order:$order){...InterlinearFields}}}}fragment InterlinearFields on InterlinearColumn{originalWords{id surface plain transliteration language lemma strongsNumber strongsLetter gloss parsing{description}}rendering words{text start length}}' as DocumentText<InterlinearPassageQuery, InterlinearPassageQueryVariables>;
export const SearchOriginalsDocument = 'query SearchOriginals($words:[OriginalWordQuery!]!$text:ID$books:String$testament:Testament$withinWords:Int$ordered:Boolean$first:Int$after:String$translation:String$withVerses:Boolean=false){searchOriginals(words:$words text:$text books:$books testament:$testament withinWords:$withinWords ordered:$ordered first:$first after:$after){totalCount wordCount edges{cursor node{...OriginalVerseFields verses(translation:$translation)@include(if:$withVerses){reference text}}matches{id surface plain transliteration language lemma parsing{description}}}pageInfo{hasNextPage hasPreviousPage startCursor endCursor}facets{byBook{bookId bookName count}byForm{form count}byParsing{parsing{description}count}}}}fragment OriginalVerseFields on OriginalVerse{text{id title direction}reference bookId chapter verse}' as DocumentText<SearchOriginalsQuery, SearchOriginalsQueryVariables>;
export const LexiconEntryDocument = 'query LexiconEntry($id:ID!){lexiconEntry(id:$id){...LexiconEntryFields numbers{number letter strongs{lemma}}spans{...LexiconSpanFields}derivation{text spans{...LexiconSpanFields}}senses{number level stem gloss text spans{...LexiconSpanFields}}related{id headword}occurrences{totalCount byBook{bookId count}formCount byForm{form count}}}}fragment LexiconEntryFields on LexiconEntry{id lexicon{id title author year licence{code holder url attribution}}headword homograph transliteration partOfSpeech language gloss text}fragment LexiconSpanFields on LexiconSpan{start length kind language entryId reference{reference bookId verseCount}}' as DocumentText<LexiconEntryQuery, LexiconEntryQueryVariables>;
export const StrongsLexiconsDocument = 'query StrongsLexicons($number:String!$translation:String!$first:Int){strongs(number:$number){renderings(translation:$translation first:$first){form occurrences verses}lexicons{...LexiconEntryFields numbers{number letter}senses{number level stem gloss text}}}}fragment LexiconEntryFields on LexiconEntry{id lexicon{id title author year licence{code holder url attribution}}headword homograph transliteration partOfSpeech language gloss text}' as DocumentText<StrongsLexiconsQuery, StrongsLexiconsQueryVariables>;
export const ParallelTextsDocument = 'query ParallelTexts($reference:String!$translations:[String!]!$numbering:String$from:String!$to:String!){parallel(reference:$reference translations:$translations numbering:$numbering){reference rows{cells{translation{identifier}verses{id reference text}absence elsewhere{reference}}differences(from:$from to:$to){kind text}}}}' as DocumentText<ParallelTextsQuery, ParallelTextsQueryVariables>;
export const TextVersionsDocument = 'query TextVersions($translation:String!){translation(identifier:$translation){version changedAt books{bookId version chapters{number version}}}}' as DocumentText<TextVersionsQuery, TextVersionsQueryVariables>;
