import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';

/** Variables for each operation of the .graphql files in this folder, by operation name. */
export const variables: Record<string, Record<string, unknown>> = {
  TranslationMenu: {},
  TableOfContents: { translation: 'spa-rv1909' },
  ReadChapter: { book: 'PSA', chapter: 119, translation: 'eng-web' },
  ReadTwoSideBySide: { book: 'JHN', chapter: 3, left: 'eng-web', right: 'spa-rv1909' },
  FollowReference: { reference: 'John 3:16-18' },
  LinkReferences: { text: 'Compare John 3:16 with Rom 5:8.' },
  ReadPrintedPage: { book: 'PSA', chapter: 119, translation: 'eng-web' },
  Bookmarks: { ids: ['djE6ZW5nLXdlYi5KSE4uMy4xNg', 'djE6c3BhLXJ2MTkwOS5HRU4uMS4x'] },
  WordsBehindAVerse: { book: 'JHN', chapter: 3, verse: 16 },
  SearchAsYouType: { query: 'shep' },
  SearchPage: { query: 'shepherd', testament: 'OLD' },
  MoreResults: { query: 'shepherd', after: '' },
  WordIndex: { translation: 'spa-rv1909', prefix: 'mis' },
  ConcordancePage: { translation: 'spa-rv1909', word: 'misericordia' },
  LexiconPage: { number: 'G26', translation: 'eng-kjv' },
  VerseOfTheDay: { date: '2026-12-25' },
  SurpriseMe: { testament: 'NT' },
  AskInOwnWords: { question: 'what can I do against my anxiety?', read: 'eng-web' },
  TopicsInOwnWords: { question: 'what can I do against my anxiety?' },
  MoreLikeThis: { book: 'JHN', chapter: 3, verse: 16 },
};

/**
 * The operations of the .graphql files in this folder: examples of what client applications send.
 */
export const clientOperations = readdirSync(__dirname)
  .filter((file) => file.endsWith('.graphql'))
  .map((file) => readFileSync(join(__dirname, file), 'utf8'))
  .flatMap((document) =>
    parse(document).definitions.flatMap((definition) =>
      definition.kind === 'OperationDefinition' ? [{ name: definition.name?.value ?? '', document }] : [],
    ),
  );
