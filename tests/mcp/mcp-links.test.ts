import { join } from 'node:path';
import { createLinks } from '@lectern/mcp';
import { repositoryRoot } from '@lectern/testing';

const pagesUrl = 'https://lectern.example';

type ReaderPaths = Record<'passagePath' | 'searchPath' | 'topicPath' | 'wordPath', (...args: string[]) => string>;

test('links in the responses of the MCP tools lead to the example reader if LECTERN_READER_URL is set', async () => {
  const { passagePath, searchPath, topicPath, wordPath } = (await import(
    join(repositoryRoot, 'examples/reader/src/build-page-paths.ts')
  )) as ReaderPaths;
  const reader = 'https://reader.example';
  const links = createLinks({ pagesUrl, readerUrl: reader });
  expect(links.passage('eng-web', 'Psalms 23:1-2')).toBe(reader + passagePath('eng-web', 'Psalms 23:1-2'));
  expect(links.words('eng-web', 'a shepherd', 'Psalms 23:1')).toBe(
    reader + searchPath('eng-web', 'a shepherd', 'WORDS'),
  );
  expect(links.word('spa-rv1909', 'amó & ama')).toBe(reader + wordPath('spa-rv1909', 'amó & ama'));
  expect(links.topic('JESUS, THE CHRIST')).toBe(reader + topicPath('JESUS, THE CHRIST'));
  expect(links.service).toBe(`${pagesUrl}/`);
});

test('links in the responses of the MCP tools lead to pages of the Lectern service if LECTERN_READER_URL is not set', () => {
  const links = createLinks({ pagesUrl, readerUrl: '' });
  const explorer = new URL(links.passage('eng-web', 'Song of Solomon 1:2; 1 John 4:8'));
  expect(explorer.origin + explorer.pathname).toBe(`${pagesUrl}/explorer`);
  expect(explorer.searchParams.get('query')).toBe(
    '{passage(reference:"Song of Solomon 1:2; 1 John 4:8",translation:"eng-web"){reference text translationNote}}',
  );
  const word = new URL(links.word('spa-rv1909', 'amó "ama"'));
  expect(word.origin + word.pathname).toBe(`${pagesUrl}/explorer`);
  expect(word.searchParams.get('query')).toContain(
    '{concordance(word:"amó \\"ama\\"",translation:"spa-rv1909"){entry{totalOccurrences',
  );
  expect(links.topic('DAVID')).toBe(`${pagesUrl}/`);
});
