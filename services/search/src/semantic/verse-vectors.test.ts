import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles, removeTranslation } from '@lectern/corpus';
import { linkData, useStarted, withFolder } from '@lectern/testing';
import { ensureSemanticFiles, isRanked, openSemanticClient, referencesOf } from '../../test-support/semantic-client';
import { buildSearchIndex, buildSemanticFiles } from '../index';

const env = { SEMANTIC_TRANSLATIONS: '*' };
const silent = () => undefined;
const client = useStarted(async () => {
  await ensureSemanticFiles();
  return openSemanticClient({ env, overrides: { timeoutMs: 60_000 } });
});

test.each([
  ['spa-rv1909', 'Lucas 15:21'],
  ['eng-web', 'Luke 15:21'],
  ['eng-kjv', 'Luke 15:21'],
])(
  'with SEMANTIC_TRANSLATIONS=* (all translations), semanticSearch in %s finds Luke 15:21 for the query "the prodigal son"',
  async (translation, reference) => {
    const found = await client.semanticSearch('the prodigal son', { translation, limit: 10 });
    expect(isRanked(found)).toBe(true);
    expect(referencesOf(found)).toContain(reference);
  },
);

test('semanticSearch finds the same verse in two translations that number it differently (Romans 16:25 and 14:24)', async () => {
  const query = 'the mystery that was kept secret since the world began is now revealed';
  const search = async (translation: string) =>
    referencesOf(await client.semanticSearch(query, { translation, limit: 10 }));
  expect(await search('eng-kjv')).toContain('Romans 16:25');
  expect(await search('eng-web')).toContain('Romans 14:24');
  expect(await search('eng-web')).not.toContain('Romans 16:25');
});

test('semanticSearch finds verses of a newly imported translation without a restart, until it is removed', () =>
  withFolder(async (folder) => {
    linkData(folder, (name) => name !== 'search-catalogue.sqlite');
    const live = await openLive(folder);
    const { translation, identifier } = live;
    expect((await live.client.semanticResponse('love', { translation: identifier })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
    await translation.import();
    await live.untilFound(true);
    const found = await live.client.semanticSearch('ships that cross the ocean in a storm', {
      translation: identifier,
    });
    expect(referencesOf(found)).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    expect(found[0]?.verse).toMatchObject({ chapter: 3, verse: 99 });
    expect(isRanked(found)).toBe(true);
    const named = await live.client.semanticSearch('John 3:99', { translation: identifier });
    expect(named[0]).toMatchObject({ similarity: 1, verse: { verse: 99 } });
    expect(named).toHaveLength(3);
    await translation.remove();
    await live.untilFound(false);
    expect((await live.client.semanticResponse('love', { translation: identifier })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
    expect(existsSync(join(folder, 'translations', identifier))).toBe(false);
    await live.client.close();
  }));

/**
 * Opens the subgraph with a data folder, and prepares a translation with three verses to import.
 */
async function openLive(folder: string) {
  const identifier = 'eng-small';
  await buildSearchIndex({ dataDir: folder, log: silent });
  const live = await openSemanticClient({ folder, env, overrides: { timeoutMs: 60_000 } });
  const file = join(folder, `${identifier}.usfx`);
  const verses = [
    [16, 'For God so loved the world'],
    [17, 'Not to condemn the world, but to save it'],
    [99, 'The ships of the sea sailed through a great storm'],
  ];
  writeFileSync(
    file,
    `<?xml version="1.0" encoding="utf-8"?>\n<usfx><languageCode>eng</languageCode><book id="JHN"><h>John</h><c id="3"/><p>${verses.map(([verse, text]) => `<v id="${verse}"/>${text}<ve/>`).join('')}</p></book></usfx>`,
  );
  return {
    identifier,
    client: live,
    translation: {
      async import() {
        await importFiles([file], { dataDir: folder, log: silent, given: {}, replace: false });
        await buildSearchIndex({ dataDir: folder, log: silent });
        expect(await buildSemanticFiles({ dataDir: folder, env, log: silent })).toBe(1);
      },
      async remove() {
        await removeTranslation(identifier, { dataDir: folder, log: silent });
        await buildSearchIndex({ dataDir: folder, log: silent });
        expect(await buildSemanticFiles({ dataDir: folder, env, log: silent })).toBe(0);
      },
    },
    async untilFound(isFound: boolean) {
      while (live.subgraph.dataset?.translationDigests().has(identifier) !== isFound)
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}
