import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeChecksum } from '@lectern/data-files';
import { type Logger, silentLogger } from '@lectern/serving';
import { withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import {
  buildSmallStudy,
  importSmallTranslation,
  writeSmallNotes,
  writeSmallTopics,
} from '../test-support/small-study-data';
import { openStudyClient, type StudyClient, withoutComputed } from '../test-support/study-client';
import { createStudySubgraph, listUnresolvedReferences } from './index';

/**
 * Calls `use` with a data folder that has the translation eng-small, and a folder for SWORD
 * modules.
 */
const withSmallData = (use: (folder: string, sword: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    await importSmallTranslation(folder);
    await use(folder, join(folder, 'sword'));
  });

/** Opens the subgraph, and closes it after `use`. */
async function withClient(folder: string, use: (client: StudyClient) => Promise<void>): Promise<void> {
  const client = openStudyClient(folder);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

const allFields = 'topics { topic { name } } crossReferences { reference sources { id } } commentary { heading }';
const worksFile = (folder: string): string => join(folder, 'reference-works.sqlite');

test('the study subgraph starts without SWORD modules, returns empty lists, and logs each missing source', async () => {
  await withSmallData(async (folder) => {
    const { isBuilt, lines } = await buildSmallStudy(folder);
    expect(isBuilt).toBe(true);
    const warnings = lines.map((line) => /^warning: no module (\S+): apt-get install/.exec(line)?.[1]);
    expect(warnings.filter((module) => module !== undefined)).toEqual([
      'MHCC',
      'Scofield',
      'TDavid',
      'Nave',
      'engWEB2015eb',
    ]);
    const logged: string[] = [];
    const log = { ...silentLogger, warn: (line: string) => void logged.push(line) } as Logger;
    createStudySubgraph({ dataDir: folder, log }).close();
    expect(logged).toHaveLength(5);
    expect(logged[0]).toMatch(/^the reference work henry is missing; install its module and run `npm run data`/);
    await withClient(folder, async (client) => {
      expect(await client.data('{ commentaries { id } topics { totalCount edges { cursor } } }')).toEqual({
        commentaries: [],
        topics: { totalCount: 0, edges: [] },
      });
      expect(withoutComputed(await client.verses(allFields, ['eng-small PSA 1:1']))).toEqual([
        { topics: [], crossReferences: [], commentary: [] },
      ]);
      expect(await client.error('{ topic(name: "FAITH") { id } }')).toEqual(["Topic 'FAITH' not found", 'NOT_FOUND']);
      expect(client.subgraph.unavailableFields().map((field) => field.replace(/^the source (\S+) .*/, '$1'))).toEqual([
        'henry',
        'scofield',
        'spurgeon',
        'naves',
        'web-notes',
      ]);
    });
  });
});

test('the study build leaves out a truncated SWORD module with one warning, and includes the other modules', async () => {
  await withSmallData(async (folder, sword) => {
    writeSmallTopics(sword);
    writeSmallNotes(sword);
    truncateSync(join(sword, 'modules', 'lexdict', 'Nave', 'dict.zdt'), 20);
    const { lines } = await buildSmallStudy(folder);
    expect(lines.filter((line) => line.startsWith('warning: Nave in '))).toEqual([
      expect.stringContaining('is not used: '),
    ]);
    await withClient(folder, async (client) => {
      expect(await client.data('{ commentaries { id noteCount } topics { totalCount } }')).toEqual({
        commentaries: [{ id: 'scofield', noteCount: 1 }],
        topics: { totalCount: 0 },
      });
    });
  });
});

test('the study build reads its sources again only if a SWORD module was installed since the last build', async () => {
  await withSmallData(async (folder, sword) => {
    writeSmallNotes(sword);
    await buildSmallStudy(folder);
    expect((await buildSmallStudy(folder)).isBuilt).toBe(false);
    writeSmallTopics(sword);
    const { isBuilt, lines } = await buildSmallStudy(folder);
    expect(isBuilt).toBe(true);
    expect(lines.filter((line) => line.includes('name no verse'))).toEqual([
      'reference works: 1 of their references name no verse; `npm run data -- --verbose` lists them',
    ]);
    expect(listUnresolvedReferences(folder)).toEqual([
      "Nave's Topical Bible: LOST has a reference that does not resolve: Exod.3.29",
    ]);
    await withClient(folder, async (client) => {
      expect(await client.verses('topics { topic { name } }', ['eng-small PSA 1:2'])).toEqual([
        { topics: [{ topic: { name: 'NAME'.repeat(60) } }, { topic: { name: 'ΛΌΓΟΣ' } }] },
      ]);
    });
    // After a SWORD module is removed, the build keeps the reference work that it read from this
    // module.
    rmSync(sword, { recursive: true });
    expect((await buildSmallStudy(folder)).isBuilt).toBe(false);
  });
});

test('the study build rebuilds reference-works.sqlite after Lectern changes how it reads SWORD modules', async () => {
  await withSmallData(async (folder, sword) => {
    writeSmallTopics(sword);
    await buildSmallStudy(folder);
    const db = new Database(worksFile(folder));
    const version = db.prepare("SELECT json_extract(value, '$.naves') FROM manifest WHERE key = 'sources'").pluck();
    const digest = String(version.get());
    const [digestOfModule] = digest.split(' ');
    db.prepare("UPDATE manifest SET value = json_set(value, '$.naves', ?) WHERE key = 'sources'").run(
      `${digestOfModule} 0`,
    );
    db.close();
    storeChecksum(worksFile(folder));
    expect((await buildSmallStudy(folder)).isBuilt).toBe(true);
    const rebuilt = new Database(worksFile(folder), { readonly: true });
    expect(
      rebuilt.prepare("SELECT json_extract(value, '$.naves') FROM manifest WHERE key = 'sources'").pluck().get(),
    ).toBe(digest);
    rebuilt.close();
    expect((await buildSmallStudy(folder)).isBuilt).toBe(false);
  });
});

test('the field topic finds topics whose names have percent signs, quotes, accents or Greek letters', async () => {
  await withSmallData(async (folder, sword) => {
    writeSmallTopics(sword);
    await buildSmallStudy(folder);
    await withClient(folder, async (client) => {
      const query = 'query ($name: String!) { topic(name: $name) { name verseCount seeAlso { name } } }';
      const topicOf = async (name: string) => (await client.data<{ topic: { name: string } }>(query, { name })).topic;
      expect((await topicOf('100% "sure"')).name).toBe('100% "SURE"');
      expect(await topicOf('cafe')).toEqual({ name: 'CAFÉ', verseCount: 3, seeAlso: [] });
      expect((await topicOf('λόγος')).name).toBe('ΛΌΓΟΣ');
      expect(await topicOf('EMPTY')).toEqual({ name: 'EMPTY', verseCount: 0, seeAlso: [{ name: 'CAFÉ' }] });
      const { topics } = await client.data<{ topics: { edges: { node: { id: string; name: string } }[] } }>(
        '{ topics { edges { node { id name } } } }',
      );
      expect(topics.edges).toHaveLength(6);
      const { found } = await client.data<{ found: unknown[] }>(
        'query ($r: [_Any!]!) { found: _entities(representations: $r) { ... on Topic { name } } }',
        { r: topics.edges.map(({ node }) => ({ __typename: 'Topic', id: node.id })) },
      );
      expect(found).toEqual(topics.edges.map(({ node }) => ({ name: node.name })));
      expect(await client.data('{ topics(query: "100%") { edges { node { name } } } }')).toEqual({
        topics: { edges: [{ node: { name: '100% "SURE"' } }] },
      });
    });
  });
});

test('the study subgraph returns no verses and no error for a reference to a book that the translation lacks', async () => {
  await withSmallData(async (folder, sword) => {
    writeSmallTopics(sword);
    writeSmallNotes(sword);
    await buildSmallStudy(folder);
    await withClient(folder, async (client) => {
      const query =
        '{ topic(name: "CAFÉ") { sections { entries { references { reference verses(translation: "eng-small", first: 50) { id } } } } } }';
      const { topic } = await client.data<{
        topic: { sections: { entries: { references: { reference: string; verses: unknown[] }[] }[] }[] };
      }>(query);
      expect(
        topic.sections[0]?.entries[0]?.references.map(({ reference, verses }) => [reference, verses.length]),
      ).toEqual([
        ['Psalms 1:1', 1],
        ['Psalms 1:3', 1],
        ['Genesis 1:1', 0],
      ]);
      expect(
        withoutComputed(
          await client.verses('crossReferences(first: 50) { reference verses { id } sources { id } }', [
            'eng-small PSA 1:1',
          ]),
        ),
      ).toEqual([
        {
          crossReferences: [
            {
              reference: 'Psalms 1:3',
              verses: [{ id: expect.any(String) }],
              sources: [{ id: 'naves' }, { id: 'scofield' }],
            },
            { reference: 'Genesis 1:1', verses: [], sources: [{ id: 'naves' }, { id: 'scofield' }] },
          ].sort((a, b) => (a.reference < b.reference ? -1 : 1)),
        },
      ]);
    });
  });
});

test.each<[string, (file: string) => void, RegExp]>([
  ['is missing', (file) => rmSync(file), /is missing: run `npm run data`/],
  ['is empty', (file) => writeFileSync(file, ''), /is not a file of reference works of Lectern: run `npm run data`/],
  ['is cut off', (file) => truncateSync(file, 20_000), /is damaged \(20000 bytes\): run `npm run data`/],
  ['has an extra byte at its end', (file) => appendFileSync(file, 'x'), /is damaged \(\d+ bytes\): run `npm run data`/],
  [
    'has a changed byte',
    (file) => {
      const bytes = readFileSync(file);
      bytes[30_000] = (bytes[30_000] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    /is damaged \(\d+ bytes\): run `npm run data`/,
  ],
  [
    'is a data file of another kind',
    (file) => cpSync(join(file, '..', 'text-catalogue.sqlite'), file),
    /is not a file of reference works of Lectern: run `npm run data`/,
  ],
])(
  'if reference-works.sqlite %s, the study subgraph fails to start with an error that names `npm run data`',
  async (_, damage, message) => {
    await withSmallData(async (folder, sword) => {
      writeSmallTopics(sword);
      await buildSmallStudy(folder);
      damage(worksFile(folder));
      expect(() => createStudySubgraph({ dataDir: folder })).toThrow(message);
      expect(() => createStudySubgraph({ dataDir: folder })).toThrow(/^[^\n]+$/);
      expect((await buildSmallStudy(folder)).isBuilt).toBe(true);
      createStudySubgraph({ dataDir: folder }).close();
    });
  },
);
