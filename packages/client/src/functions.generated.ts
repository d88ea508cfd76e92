// `npm run docs` writes this file from documents.graphql.
import type { Arguments, LecternClient } from './client.js';
import * as generated from './operations.generated.js';
import { readNullable, readValue } from './operations.js';

// Bundlers can remove unused arrow functions, but not unused results of calls.
/** The translations that pass the filters, sorted by identifier, with their licences and features: all without arguments, and a page with `first`. */
export const translations = (client: LecternClient, ...args: Arguments<generated.TranslationsQueryVariables>) =>
  readValue(client, generated.TranslationsDocument, args, ({ translations }) => translations);

/** One translation with its books. */
export const translation = (client: LecternClient, ...args: Arguments<generated.TranslationQueryVariables>) =>
  readValue(client, generated.TranslationDocument, args, ({ translation }) => translation);

/** The offline package. Null if the licence allows no downloads, or while the package is built. */
export const offlinePackage = (client: LecternClient, ...args: Arguments<generated.OfflinePackageQueryVariables>) =>
  readNullable(client, generated.OfflinePackageDocument, args, ({ translation }) => translation?.offlinePackage);

/** The languages of the translations. */
export const languages = (client: LecternClient, ...args: Arguments<generated.LanguagesQueryVariables>) =>
  readValue(client, generated.LanguagesDocument, args, ({ languages }) => languages);

/** The 66 books of the canon with their English names. */
export const books = (client: LecternClient, ...args: Arguments<generated.BooksQueryVariables>) =>
  readValue(client, generated.BooksDocument, args, ({ books }) => books);

/** The books of a translation with their chapters, for a table of contents. */
export const bibleIndex = (client: LecternClient, ...args: Arguments<generated.BibleIndexQueryVariables>) =>
  readValue(client, generated.BibleIndexDocument, args, ({ bibleIndex }) => bibleIndex);

/** The texts outside of verses that a translation has, such as a glossary. Empty for most translations. */
export const translationDocuments = (client: LecternClient, ...args: Arguments<generated.TranslationDocumentsQueryVariables>) =>
  readValue(client, generated.TranslationDocumentsDocument, args, ({ translationDocuments }) => translationDocuments);

/** A page of a text outside of verses, such as `GLO`, a glossary, or `GEN`, the introduction to Genesis. */
export const translationDocument = (client: LecternClient, ...args: Arguments<generated.TranslationDocumentQueryVariables>) =>
  readValue(client, generated.TranslationDocumentDocument, args, ({ translationDocument }) => translationDocument);

/** The verses of a reference as people write it, such as `Rom 12:1,3-4`. */
export const passage = (client: LecternClient, ...args: Arguments<generated.PassageQueryVariables>) =>
  readValue(client, generated.PassageDocument, args, ({ passage }) => passage);

/** The verses of a chapter. Empty if the translation has no such chapter. */
export const chapter = (client: LecternClient, ...args: Arguments<generated.ChapterQueryVariables>) =>
  readValue(client, generated.ChapterDocument, args, ({ chapter }) => chapter);

/** A chapter as it is printed: paragraphs, poetry, notes, headings, neighbouring chapters. */
export const readingChapter = (client: LecternClient, ...args: Arguments<generated.ReadingChapterQueryVariables>) =>
  readValue(client, generated.ReadingChapterDocument, args, ({ readingChapter }) => readingChapter);

/** One verse, with the ids and references of the previous and the next verse. */
export const verse = (client: LecternClient, ...args: Arguments<generated.VerseQueryVariables>) =>
  readValue(client, generated.VerseDocument, args, ({ verse }) => verse);

/** The same verse in the translation `other`. Null if `other` lacks the verse. */
export const verseInTranslation = (client: LecternClient, ...args: Arguments<generated.VerseInTranslationQueryVariables>) =>
  readNullable(client, generated.VerseInTranslationDocument, args, ({ verse }) => verse?.inTranslation);

/** The words of a verse with their Strong's numbers. Empty if the translation is not tagged. */
export const verseWords = (client: LecternClient, ...args: Arguments<generated.VerseWordsQueryVariables>) =>
  readValue(client, generated.VerseWordsDocument, args, ({ verse }) => verse?.words);

/** Verses by their ids, at most 200, in the order of the ids. Null for an id that no verse has. */
export const verses = (client: LecternClient, ...args: Arguments<generated.VersesQueryVariables>) =>
  readValue(client, generated.VersesDocument, args, ({ verses }) => verses);

/** A random verse. */
export const randomVerse = (client: LecternClient, ...args: Arguments<generated.RandomVerseQueryVariables>) =>
  readValue(client, generated.RandomVerseDocument, args, ({ randomVerse }) => randomVerse);

/** The passage of a day, `YYYY-MM-DD`; today in UTC without `date`. */
export const verseOfTheDay = (client: LecternClient, ...args: Arguments<generated.VerseOfTheDayQueryVariables>) =>
  readValue(client, generated.VerseOfTheDayDocument, args, ({ verseOfTheDay }) => verseOfTheDay);

/** The Bible references in a text of at most 10,000 characters. */
export const references = (client: LecternClient, ...args: Arguments<generated.ReferencesQueryVariables>) =>
  readValue(client, generated.ReferencesDocument, args, ({ references }) => references);

/** The verses that match words best, at most 100. */
export const search = (client: LecternClient, ...args: Arguments<generated.SearchQueryVariables>) =>
  readValue(client, generated.SearchDocument, args, ({ search }) => search);

/** A page of the verses that match words, a meaning or both (`mode`), with totals and positions. */
export const searchVerses = (client: LecternClient, ...args: Arguments<generated.SearchVersesQueryVariables>) =>
  readValue(client, generated.SearchVersesDocument, args, ({ searchVerses }) => searchVerses);

/** The verses nearest in meaning to a question, at most 50. */
export const semanticSearch = (client: LecternClient, ...args: Arguments<generated.SemanticSearchQueryVariables>) =>
  readValue(client, generated.SemanticSearchDocument, args, ({ semanticSearch }) => semanticSearch);

/** The topics nearest in meaning to a question, at most 20. */
export const semanticTopics = (client: LecternClient, ...args: Arguments<generated.SemanticTopicsQueryVariables>) =>
  readValue(client, generated.SemanticTopicsDocument, args, ({ semanticTopics }) => semanticTopics);

/** The verses of the same translation that are nearest in meaning to a verse, at most 50. */
export const similarVerses = (client: LecternClient, ...args: Arguments<generated.SimilarVersesQueryVariables>) =>
  readValue(client, generated.SimilarVersesDocument, args, ({ verse }) => verse?.similar);

/** A page of the verses with a word in its context. */
export const concordance = (client: LecternClient, ...args: Arguments<generated.ConcordanceQueryVariables>) =>
  readValue(client, generated.ConcordanceDocument, args, ({ concordance }) => concordance);

/** A page of the verses with a Hebrew or Greek word, by its Strong's number. */
export const strongsConcordance = (client: LecternClient, ...args: Arguments<generated.StrongsConcordanceQueryVariables>) =>
  readValue(client, generated.StrongsConcordanceDocument, args, ({ strongsConcordance }) => strongsConcordance);

/** The forms of a word, and its verses in each testament, book and chapter, for a chart. */
export const wordDistribution = (client: LecternClient, ...args: Arguments<generated.WordDistributionQueryVariables>) =>
  readValue(client, generated.WordDistributionDocument, args, ({ concordance }) => concordance?.entry);

/** A page of the words of a translation, sorted by their stems. */
export const concordanceIndex = (client: LecternClient, ...args: Arguments<generated.ConcordanceIndexQueryVariables>) =>
  readValue(client, generated.ConcordanceIndexDocument, args, ({ concordanceIndex }) => concordanceIndex);

/** The words that occur near a word more often than chance explains. */
export const collocates = (client: LecternClient, ...args: Arguments<generated.CollocatesQueryVariables>) =>
  readValue(client, generated.CollocatesDocument, args, ({ collocates }) => collocates);

/** A Hebrew or Greek word by its Strong's number. */
export const strongs = (client: LecternClient, ...args: Arguments<generated.StrongsQueryVariables>) =>
  readValue(client, generated.StrongsDocument, args, ({ strongs }) => strongs);

/** A page of the topics whose names or headings contain the words of `query`, or of all topics. */
export const topics = (client: LecternClient, ...args: Arguments<generated.TopicsQueryVariables>) =>
  readValue(client, generated.TopicsDocument, args, ({ topics }) => topics);

/** One topic with its entries. */
export const topic = (client: LecternClient, ...args: Arguments<generated.TopicQueryVariables>) =>
  readValue(client, generated.TopicDocument, args, ({ topic }) => topic);

/** The topics that name a verse. */
export const verseTopics = (client: LecternClient, ...args: Arguments<generated.VerseTopicsQueryVariables>) =>
  readValue(client, generated.VerseTopicsDocument, args, ({ verse }) => verse?.topics);

/** A page of the passages that readers know by the name `query`, or of all named passages. */
export const namedPassages = (client: LecternClient, ...args: Arguments<generated.NamedPassagesQueryVariables>) =>
  readValue(client, generated.NamedPassagesDocument, args, ({ namedPassages }) => namedPassages);

/** The named passages that contain a verse, the shortest first. */
export const verseNamedPassages = (client: LecternClient, ...args: Arguments<generated.VerseNamedPassagesQueryVariables>) =>
  readValue(client, generated.VerseNamedPassagesDocument, args, ({ verse }) => verse?.namedPassages);

/** The cross references of a verse, with their sources. */
export const crossReferences = (client: LecternClient, ...args: Arguments<generated.CrossReferencesQueryVariables>) =>
  readValue(client, generated.CrossReferencesDocument, args, ({ verse }) => verse?.crossReferences);

/** The notes of commentaries on a verse. */
export const commentary = (client: LecternClient, ...args: Arguments<generated.CommentaryQueryVariables>) =>
  readValue(client, generated.CommentaryDocument, args, ({ verse }) => verse?.commentary);

/** The commentaries that are installed. */
export const commentaries = (client: LecternClient, ...args: Arguments<generated.CommentariesQueryVariables>) =>
  readValue(client, generated.CommentariesDocument, args, ({ commentaries }) => commentaries);

/** The Hebrew and Greek texts that are installed. */
export const originalTexts = (client: LecternClient, ...args: Arguments<generated.OriginalTextsQueryVariables>) =>
  readValue(client, generated.OriginalTextsDocument, args, ({ originalTexts }) => originalTexts);

/** The original verses that a verse renders, with their words and the grammar of each. */
export const originalVerses = (client: LecternClient, ...args: Arguments<generated.OriginalVersesQueryVariables>) =>
  readValue(client, generated.OriginalVersesDocument, args, ({ verse }) => verse?.original);

/** The words of the original and of a translation side by side, in the order of either. */
export const interlinear = (client: LecternClient, ...args: Arguments<generated.InterlinearQueryVariables>) =>
  readValue(client, generated.InterlinearDocument, args, ({ verse }) => verse?.interlinear);

/** `interlinear` for each verse of a reference as people write it. */
export const interlinearPassage = (client: LecternClient, ...args: Arguments<generated.InterlinearPassageQueryVariables>) =>
  readValue(client, generated.InterlinearPassageDocument, args, ({ passage }) => passage);

/** A page of the original verses with words of a spelling, lemma, Strong's number or grammar. */
export const searchOriginals = (client: LecternClient, ...args: Arguments<generated.SearchOriginalsQueryVariables>) =>
  readValue(client, generated.SearchOriginalsDocument, args, ({ searchOriginals }) => searchOriginals);

/** An entry of a lexicon, with its senses and occurrences. */
export const lexiconEntry = (client: LecternClient, ...args: Arguments<generated.LexiconEntryQueryVariables>) =>
  readValue(client, generated.LexiconEntryDocument, args, ({ lexiconEntry }) => lexiconEntry);

/** What a translation writes for a Hebrew or Greek word, and its lexicon entries. */
export const strongsLexicons = (client: LecternClient, ...args: Arguments<generated.StrongsLexiconsQueryVariables>) =>
  readValue(client, generated.StrongsLexiconsDocument, args, ({ strongs }) => strongs);

/** The same verses of 2 to 10 translations in rows, and how two of them differ by words. At most 200 rows. */
export const parallelTexts = (client: LecternClient, ...args: Arguments<generated.ParallelTextsQueryVariables>) =>
  readValue(client, generated.ParallelTextsDocument, args, ({ parallel }) => parallel);

/** The versions of a translation's text, books and chapters, to learn which chapters to fetch again. */
export const textVersions = (client: LecternClient, ...args: Arguments<generated.TextVersionsQueryVariables>) =>
  readValue(client, generated.TextVersionsDocument, args, ({ translation }) => translation);
