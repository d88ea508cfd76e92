// `npm run docs` writes this file from documents.graphql and the schema.
import type { DocumentText } from '@lectern/client';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type MatchReason =
  | 'WORDS'
  | 'MEANING'
  | 'TOPIC'
  | 'NAMED_PASSAGE'
  | 'REFERENCE'
  | 'CARE'
  | 'UNDERSTOOD';

export type ParallelAbsence =
  | 'OMITTED'
  | 'MERGED'
  | 'ELSEWHERE'
  | 'NOT_IN_TRANSLATION';

export type QueryKind =
  | 'REFERENCE'
  | 'SAYING'
  | 'DISTRESS'
  | 'OCCASION'
  | 'NAMED_PASSAGE';

export type QuotationVerdict =
  | 'EXACT'
  | 'ALTERED'
  | 'OTHER_TRANSLATION'
  | 'OTHER_PLACE'
  | 'SAYING_NOT_IN_BIBLE'
  | 'NOT_FOUND';

export type ReferenceStatus =
  | 'OK'
  | 'PARTIAL'
  | 'OUT_OF_RANGE';

export type SayingStatus =
  | 'IN_BIBLE'
  | 'ALTERED'
  | 'NOT_IN_BIBLE';

export type Testament =
  | 'OLD'
  | 'NEW';

export type SourceFieldsFragment = { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } };

export type VerseFieldsFragment = { readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string };

export type StrongsFieldsFragment = { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string };

export type OccurrenceFieldsFragment = { readonly totalCount: number, readonly entry: { readonly lemma: string, readonly surfaceForms: ReadonlyArray<string>, readonly totalOccurrences: number, readonly occurrencesByTestament: { readonly old: number, readonly new: number }, readonly occurrencesByBook: ReadonlyArray<{ readonly bookName: string, readonly count: number }> }, readonly edges: ReadonlyArray<{ readonly node: { readonly context: string, readonly verse: { readonly id: string, readonly reference: string }, readonly strongs: { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } };

export type McpTranslationsQueryVariables = Exact<{ [key: string]: never; }>;


export type McpTranslationsQuery = { readonly translations: ReadonlyArray<{ readonly language: string, readonly languageName: string | null, readonly verseCount: number, readonly complete: boolean, readonly hasStrongsTagging: boolean, readonly hasEmbeddings: boolean | null, readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } }> | null };

export type McpPassageQueryVariables = Exact<{
  reference: string;
  translation: string;
}>;


export type McpPassageQuery = { readonly passage: { readonly reference: string, readonly verses: ReadonlyArray<{ readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }> } | null, readonly source: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export type McpSearchWordsQueryVariables = Exact<{
  query: string;
  translation: string;
  books?: string | null | undefined;
  testament?: Testament | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type McpSearchWordsQuery = { readonly searchVerses: { readonly totalCount: number, readonly suggestion: string | null, readonly correctedQuery: string | null, readonly relaxed: ReadonlyArray<string> | null, readonly facets: { readonly byBook: ReadonlyArray<{ readonly bookName: string, readonly count: number }> }, readonly edges: ReadonlyArray<{ readonly node: { readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null, readonly source: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export type McpSearchBibleQueryVariables = Exact<{
  query: string;
  translation: string;
  books?: string | null | undefined;
  testament?: Testament | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type McpSearchBibleQuery = { readonly searchVerses: { readonly understood: { readonly kind: QueryKind, readonly need: string | null, readonly saying: { readonly status: SayingStatus, readonly note: string } | null } | null, readonly edges: ReadonlyArray<{ readonly matchedBy: ReadonlyArray<MatchReason>, readonly node: { readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null, readonly source: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export type McpStudyWordQueryVariables = Exact<{
  word: string;
  translation: string;
  book?: string | null | undefined;
  testament?: Testament | null | undefined;
  first: number;
  after?: string | null | undefined;
  isWholeBible: boolean;
}>;


export type McpStudyWordQuery = { readonly concordance: { readonly totalCount: number, readonly entry: { readonly lemma: string, readonly surfaceForms: ReadonlyArray<string>, readonly totalOccurrences: number, readonly occurrencesByTestament: { readonly old: number, readonly new: number }, readonly occurrencesByBook: ReadonlyArray<{ readonly bookName: string, readonly count: number }> }, readonly edges: ReadonlyArray<{ readonly node: { readonly context: string, readonly verse: { readonly id: string, readonly reference: string }, readonly strongs: { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null, readonly newTestament?: { readonly edges: ReadonlyArray<{ readonly node: { readonly strongs: { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string } | null } }> } | null, readonly collocates: ReadonlyArray<{ readonly displayForm: string, readonly together: number }> | null, readonly source: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export type McpStudyStrongsNumberQueryVariables = Exact<{
  number: string;
  translation: string;
  book?: string | null | undefined;
  testament?: Testament | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type McpStudyStrongsNumberQuery = { readonly strongs: { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string } | null, readonly strongsConcordance: { readonly totalCount: number, readonly entry: { readonly lemma: string, readonly surfaceForms: ReadonlyArray<string>, readonly totalOccurrences: number, readonly occurrencesByTestament: { readonly old: number, readonly new: number }, readonly occurrencesByBook: ReadonlyArray<{ readonly bookName: string, readonly count: number }> }, readonly edges: ReadonlyArray<{ readonly node: { readonly context: string, readonly verse: { readonly id: string, readonly reference: string }, readonly strongs: { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string } | null } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null, readonly source: { readonly hasStrongsTagging: boolean, readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export type McpCrossReferencesQueryVariables = Exact<{
  reference: string;
  translation: string;
  first: number;
}>;


export type McpCrossReferencesQuery = { readonly passage: { readonly reference: string, readonly verses: ReadonlyArray<{ readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string, readonly crossReferences: ReadonlyArray<{ readonly reference: string, readonly verses: ReadonlyArray<{ readonly reference: string, readonly text: string }>, readonly sources: ReadonlyArray<{ readonly title: string }> }> | null }> } | null, readonly source: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export type McpStudyPlacesQueryVariables = Exact<{
  number: string;
  translation: string;
  book?: string | null | undefined;
  testament?: Testament | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type McpStudyPlacesQuery = { readonly strongs: { readonly number: string, readonly lemma: string | null, readonly transliteration: string | null, readonly definition: string | null, readonly language: string } | null, readonly whole: { readonly totalCount: number, readonly wordCount: number, readonly facets: { readonly byBook: ReadonlyArray<{ readonly bookName: string, readonly count: number }> } } | null, readonly searchOriginals: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly node: { readonly reference: string, readonly verses: ReadonlyArray<{ readonly id: string, readonly reference: string, readonly text: string }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null, readonly source: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export type McpFindLemmaQueryVariables = Exact<{
  word: string;
}>;


export type McpFindLemmaQuery = { readonly lemma: { readonly edges: ReadonlyArray<{ readonly matches: ReadonlyArray<{ readonly strongsNumber: string | null }> }> } | null, readonly form: { readonly edges: ReadonlyArray<{ readonly matches: ReadonlyArray<{ readonly strongsNumber: string | null }> }> } | null };

export type McpStudyOriginalsQueryVariables = Exact<{
  ids: ReadonlyArray<string | number>;
  translation: string;
  first: string;
  second: string;
  third: string;
}>;


export type McpStudyOriginalsQuery = { readonly verses: ReadonlyArray<{ readonly interlinear: ReadonlyArray<{ readonly originalWords: ReadonlyArray<{ readonly surface: string, readonly transliteration: string, readonly strongsNumber: string | null, readonly parsing: { readonly description: string } }> }> | null } | null>, readonly first: { readonly number: string, readonly lexicons: ReadonlyArray<{ readonly gloss: string | null, readonly lexicon: { readonly title: string, readonly licence: { readonly attribution: string } }, readonly senses: ReadonlyArray<{ readonly number: string | null, readonly level: number, readonly stem: string | null, readonly text: string }>, readonly occurrences: { readonly totalCount: number } }> | null, readonly renderings: ReadonlyArray<{ readonly form: string, readonly occurrences: number }> | null } | null, readonly second: { readonly number: string, readonly lexicons: ReadonlyArray<{ readonly gloss: string | null, readonly lexicon: { readonly title: string, readonly licence: { readonly attribution: string } }, readonly senses: ReadonlyArray<{ readonly number: string | null, readonly level: number, readonly stem: string | null, readonly text: string }>, readonly occurrences: { readonly totalCount: number } }> | null, readonly renderings: ReadonlyArray<{ readonly form: string, readonly occurrences: number }> | null } | null, readonly third: { readonly number: string, readonly lexicons: ReadonlyArray<{ readonly gloss: string | null, readonly lexicon: { readonly title: string, readonly licence: { readonly attribution: string } }, readonly senses: ReadonlyArray<{ readonly number: string | null, readonly level: number, readonly stem: string | null, readonly text: string }>, readonly occurrences: { readonly totalCount: number } }> | null, readonly renderings: ReadonlyArray<{ readonly form: string, readonly occurrences: number }> | null } | null };

export type StrongsSenseFieldsFragment = { readonly number: string, readonly lexicons: ReadonlyArray<{ readonly gloss: string | null, readonly lexicon: { readonly title: string, readonly licence: { readonly attribution: string } }, readonly senses: ReadonlyArray<{ readonly number: string | null, readonly level: number, readonly stem: string | null, readonly text: string }>, readonly occurrences: { readonly totalCount: number } }> | null, readonly renderings: ReadonlyArray<{ readonly form: string, readonly occurrences: number }> | null };

export type McpOriginalQueryVariables = Exact<{
  reference: string;
  translation: string;
}>;


export type McpOriginalQuery = { readonly passage: { readonly reference: string, readonly verses: ReadonlyArray<{ readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string, readonly original: ReadonlyArray<{ readonly reference: string, readonly text: { readonly title: string, readonly attribution: string }, readonly words: ReadonlyArray<{ readonly surface: string, readonly transliteration: string, readonly lemma: string, readonly gloss: string | null, readonly strongsNumber: string | null, readonly parsing: { readonly description: string } }> }> | null }> } | null, readonly source: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export type McpTopicQueryVariables = Exact<{
  topic: string;
}>;


export type McpTopicQuery = { readonly best: { readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly verseCount: number, readonly source: { readonly title: string, readonly author: string | null, readonly licence: string }, readonly sections: ReadonlyArray<{ readonly heading: string | null, readonly entries: ReadonlyArray<{ readonly text: string | null, readonly references: ReadonlyArray<{ readonly reference: string }> }> }>, readonly seeAlso: ReadonlyArray<{ readonly name: string }> } }> } | null, readonly topics: { readonly edges: ReadonlyArray<{ readonly node: { readonly name: string } }> } | null, readonly semanticTopics: ReadonlyArray<{ readonly topic: { readonly name: string } }> | null };

export type McpCompareTranslationsQueryVariables = Exact<{
  reference: string;
  translations: ReadonlyArray<string>;
}>;


export type McpCompareTranslationsQuery = { readonly parallel: { readonly reference: string, readonly rows: ReadonlyArray<{ readonly cells: ReadonlyArray<{ readonly absence: ParallelAbsence | null, readonly translation: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } }, readonly verses: ReadonlyArray<{ readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }>, readonly elsewhere: { readonly reference: string } | null }> }> } | null };

export type McpCheckQuotationQueryVariables = Exact<{
  text: string;
  reference?: string | null | undefined;
  given: string;
  hasReference: boolean;
  translation: string;
}>;


export type McpCheckQuotationQuery = { readonly checkQuotation: { readonly verdict: QuotationVerdict, readonly before: string, readonly after: string, readonly translation: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } }, readonly verses: ReadonlyArray<{ readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }>, readonly differences: ReadonlyArray<{ readonly bible: string, readonly quotation: string }>, readonly saying: { readonly note: string, readonly nearest: ReadonlyArray<{ readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }> } | null }, readonly passage?: { readonly verses: ReadonlyArray<{ readonly bookId: string, readonly chapter: number, readonly verse: number, readonly reference: string, readonly text: string }> } | null };

export type McpFindReferencesQueryVariables = Exact<{
  text: string;
  translation: string;
}>;


export type McpFindReferencesQuery = { readonly references: ReadonlyArray<{ readonly reference: string, readonly status: ReferenceStatus, readonly verseCount: number, readonly start: number, readonly length: number }> | null, readonly source: { readonly identifier: string, readonly name: string, readonly licence: { readonly code: string, readonly attribution: string } } | null };

export const McpTranslationsDocument = 'query McpTranslations{translations{...SourceFields language languageName verseCount complete hasStrongsTagging hasEmbeddings}}fragment SourceFields on Translation{identifier name licence{code attribution}}' as DocumentText<McpTranslationsQuery, McpTranslationsQueryVariables>;
export const McpPassageDocument = 'query McpPassage($reference:String!$translation:String!){passage(reference:$reference translation:$translation){reference verses{...VerseFields}}source:translation(identifier:$translation){...SourceFields}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment VerseFields on Verse{bookId chapter verse reference text}' as DocumentText<McpPassageQuery, McpPassageQueryVariables>;
export const McpSearchWordsDocument = 'query McpSearchWords($query:String!$translation:String!$books:String$testament:Testament$first:Int!$after:String){searchVerses(query:$query translation:$translation books:$books testament:$testament first:$first after:$after){totalCount suggestion correctedQuery relaxed facets{byBook{bookName count}}edges{node{...VerseFields}}pageInfo{hasNextPage endCursor}}source:translation(identifier:$translation){...SourceFields}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment VerseFields on Verse{bookId chapter verse reference text}' as DocumentText<McpSearchWordsQuery, McpSearchWordsQueryVariables>;
export const McpSearchBibleDocument = 'query McpSearchBible($query:String!$translation:String!$books:String$testament:Testament$first:Int!$after:String){searchVerses(query:$query translation:$translation books:$books testament:$testament mode:BEST first:$first after:$after){understood{kind need saying{status note}}edges{matchedBy node{...VerseFields}}pageInfo{hasNextPage endCursor}}source:translation(identifier:$translation){...SourceFields}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment VerseFields on Verse{bookId chapter verse reference text}' as DocumentText<McpSearchBibleQuery, McpSearchBibleQueryVariables>;
export const McpStudyWordDocument = 'query McpStudyWord($word:String!$translation:String!$book:String$testament:Testament$first:Int!$after:String$isWholeBible:Boolean!){concordance(word:$word translation:$translation book:$book testament:$testament first:$first after:$after){...OccurrenceFields}newTestament:concordance(word:$word translation:$translation testament:NEW first:10)@include(if:$isWholeBible){edges{node{strongs{...StrongsFields}}}}collocates(word:$word translation:$translation first:10){displayForm together}source:translation(identifier:$translation){...SourceFields}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment StrongsFields on StrongsEntry{number lemma transliteration definition language}fragment OccurrenceFields on ConcordanceConnection{totalCount entry{lemma surfaceForms totalOccurrences occurrencesByTestament{old new}occurrencesByBook{bookName count}}edges{node{context verse{id reference}strongs{...StrongsFields}}}pageInfo{hasNextPage endCursor}}' as DocumentText<McpStudyWordQuery, McpStudyWordQueryVariables>;
export const McpStudyStrongsNumberDocument = 'query McpStudyStrongsNumber($number:String!$translation:String!$book:String$testament:Testament$first:Int!$after:String){strongs(number:$number){...StrongsFields}strongsConcordance(number:$number translation:$translation book:$book testament:$testament first:$first after:$after){...OccurrenceFields}source:translation(identifier:$translation){...SourceFields hasStrongsTagging}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment StrongsFields on StrongsEntry{number lemma transliteration definition language}fragment OccurrenceFields on ConcordanceConnection{totalCount entry{lemma surfaceForms totalOccurrences occurrencesByTestament{old new}occurrencesByBook{bookName count}}edges{node{context verse{id reference}strongs{...StrongsFields}}}pageInfo{hasNextPage endCursor}}' as DocumentText<McpStudyStrongsNumberQuery, McpStudyStrongsNumberQueryVariables>;
export const McpCrossReferencesDocument = 'query McpCrossReferences($reference:String!$translation:String!$first:Int!){passage(reference:$reference translation:$translation){reference verses{...VerseFields crossReferences(first:$first){reference verses(first:2){reference text}sources{title}}}}source:translation(identifier:$translation){...SourceFields}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment VerseFields on Verse{bookId chapter verse reference text}' as DocumentText<McpCrossReferencesQuery, McpCrossReferencesQueryVariables>;
export const McpStudyPlacesDocument = 'query McpStudyPlaces($number:String!$translation:String!$book:String$testament:Testament$first:Int!$after:String){strongs(number:$number){...StrongsFields}whole:searchOriginals(words:[{strongs:$number}]first:1){totalCount wordCount facets{byBook{bookName count}}}searchOriginals(words:[{strongs:$number}]books:$book testament:$testament first:$first after:$after){totalCount edges{node{reference verses(translation:$translation){id reference text}}}pageInfo{hasNextPage endCursor}}source:translation(identifier:$translation){...SourceFields}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment StrongsFields on StrongsEntry{number lemma transliteration definition language}' as DocumentText<McpStudyPlacesQuery, McpStudyPlacesQueryVariables>;
export const McpFindLemmaDocument = 'query McpFindLemma($word:String!){lemma:searchOriginals(words:[{lemma:$word}]first:50){edges{matches{strongsNumber}}}form:searchOriginals(words:[{form:$word}]first:50){edges{matches{strongsNumber}}}}' as DocumentText<McpFindLemmaQuery, McpFindLemmaQueryVariables>;
export const McpStudyOriginalsDocument = 'query McpStudyOriginals($ids:[ID!]!$translation:String!$first:String!$second:String!$third:String!){verses(ids:$ids){interlinear{originalWords{surface transliteration strongsNumber parsing{description}}}}first:strongs(number:$first){...StrongsSenseFields}second:strongs(number:$second){...StrongsSenseFields}third:strongs(number:$third){...StrongsSenseFields}}fragment StrongsSenseFields on StrongsEntry{number lexicons{lexicon{title licence{attribution}}gloss senses{number level stem text}occurrences{totalCount}}renderings(translation:$translation first:10){form occurrences}}' as DocumentText<McpStudyOriginalsQuery, McpStudyOriginalsQueryVariables>;
export const McpOriginalDocument = 'query McpOriginal($reference:String!$translation:String!){passage(reference:$reference translation:$translation){reference verses{...VerseFields original{reference text{title attribution}words{surface transliteration lemma gloss strongsNumber parsing{description}}}}}source:translation(identifier:$translation){...SourceFields}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment VerseFields on Verse{bookId chapter verse reference text}' as DocumentText<McpOriginalQuery, McpOriginalQueryVariables>;
export const McpTopicDocument = 'query McpTopic($topic:String!){best:topics(query:$topic first:1){edges{node{name verseCount source{title author licence}sections{heading entries{text references{reference}}}seeAlso(first:10){name}}}}topics(query:$topic first:10){edges{node{name}}}semanticTopics(query:$topic limit:5){topic{name}}}' as DocumentText<McpTopicQuery, McpTopicQueryVariables>;
export const McpCompareTranslationsDocument = 'query McpCompareTranslations($reference:String!$translations:[String!]!){parallel(reference:$reference translations:$translations){reference rows{cells{translation{...SourceFields}verses{...VerseFields}absence elsewhere{reference}}}}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment VerseFields on Verse{bookId chapter verse reference text}' as DocumentText<McpCompareTranslationsQuery, McpCompareTranslationsQueryVariables>;
export const McpCheckQuotationDocument = 'query McpCheckQuotation($text:String!$reference:String$given:String!$hasReference:Boolean!$translation:String!){checkQuotation(text:$text reference:$reference translation:$translation){verdict translation{...SourceFields}verses{...VerseFields}differences{bible quotation}before after saying{note nearest{...VerseFields}}}passage(reference:$given translation:$translation)@include(if:$hasReference){verses{...VerseFields}}}fragment SourceFields on Translation{identifier name licence{code attribution}}fragment VerseFields on Verse{bookId chapter verse reference text}' as DocumentText<McpCheckQuotationQuery, McpCheckQuotationQueryVariables>;
export const McpFindReferencesDocument = 'query McpFindReferences($text:String!$translation:String!){references(text:$text translation:$translation){reference status verseCount start length}source:translation(identifier:$translation){...SourceFields}}fragment SourceFields on Translation{identifier name licence{code attribution}}' as DocumentText<McpFindReferencesQuery, McpFindReferencesQueryVariables>;
