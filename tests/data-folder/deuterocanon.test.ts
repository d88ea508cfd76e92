import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buildConcordanceIndex, createConcordanceSubgraph } from '@lectern/concordance';
import {
  buildOfflinePackages,
  openOfflinePackages,
  packageFile,
  parseOfflineTranslations,
  runCorpusCommand,
} from '@lectern/corpus';
import { buildSearchIndex, createSearchSubgraph } from '@lectern/search';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { createTextSubgraph } from '@lectern/text';
import Database from 'better-sqlite3';

// The text of these verses is invented, because the repository contains no Bible text.
const usfm: Readonly<Record<string, string>> = {
  GEN: '\\c 1\n\\p\n\\v 1 A lantern was lit.',
  MAL: '\\c 1\n\\p\n\\v 1 The last lantern of the old row.',
  MAT: '\\c 1\n\\p\n\\v 1 The first lantern of the new row.',
  TOB: '\\c 1\n\\p\n\\v 1 A dog carried the lantern.\n\\c 4\n\\p\n\\v 14 Pay the boatman.\n\\v 15 Lend what you would borrow.',
  SIR: '\\c 24\n\\p\n\\v 1 Wisdom sings in the orchard.\n\\v 2 She lights a lantern there.',
  ESG: '\\c 4\n\\p\n\\v 18 The queen folded her letter.',
  '1MA': '\\c 2\n\\p\n\\v 1 Five brothers built a gate.',
};

const dataDir = mkdtempSync(join(tmpdir(), 'lectern-'));
const source = join(dataDir, 'usfm');
const closers: (() => void | Promise<void>)[] = [];
const query: Record<'text' | 'search' | 'concordance', (document: string) => Promise<unknown>> = {} as never;

/** Runs the command `npm run corpus`. Returns the exit code and what it prints. */
async function runCorpus(...argv: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const code = await runCorpusCommand(argv, {
    env: { HOME: dataDir, LECTERN_DATA: dataDir },
    swordRoots: [],
    stdout: { write: (line) => (out += String(line)) !== '' },
    stderr: { write: () => true },
  });
  return { code, out };
}

beforeAll(async () => {
  mkdirSync(source);
  for (const [code, body] of Object.entries(usfm))
    writeFileSync(join(source, `${code}.usfm`), `\\id ${code} Invented\n${body}\n`);
  const details = ['--id', 'eng-own', '--language', 'eng', '--licence', 'PD', '--note', 'A note.'];
  await runCorpus('import', source, ...details);
  // The prayer of Azariah and Susanna, as each of these translations prints them.
  for (const [identifier, numbering, books] of [
    ['lat-own', 'vulgate', { DAN: [3, 25, 'Azarias stans'], BAR: [6, 1, 'Propter lucernam'] }],
    ['eng-dag', 'web', { DAG: [3, 25, 'Azariah stood'], BAR: [6, 2, 'For the lantern'] }],
    ['eng-s3y', 'standard', { S3Y: [1, 2, 'Then Azariah'], LJE: [1, 2, 'Because of the lantern'] }],
  ] as const) {
    const folder = join(dataDir, identifier);
    mkdirSync(folder);
    for (const [code, [chapter, verse, text]] of Object.entries(books))
      writeFileSync(join(folder, `${code}.usfm`), `\\id ${code}\n\\c ${chapter}\n\\p\n\\v ${verse} ${text}\n`);
    await runCorpus('import', folder, '--language', identifier.slice(0, 3), '--numbering', numbering);
  }
  const log = (): void => undefined;
  await buildSearchIndex({ dataDir, log });
  await buildConcordanceIndex({ dataDir, log });
  await buildOfflinePackages({ dataDir, translations: parseOfflineTranslations('free'), log, jobs: 1 });
  const subgraphs = {
    text: createTextSubgraph({ dataDir, preloadParser: false, random: (below) => below - 1 }),
    search: await createSearchSubgraph({ dataDir, semantic: null, preloadParser: false }),
    concordance: createConcordanceSubgraph({ dataDir }),
  };
  const connect = (name: keyof typeof subgraphs, execute: ReturnType<typeof executeInProcess>) => {
    query[name] = async (document) => {
      const { data, errors } = await execute({ query: document });
      return errors ? errors.map(({ message }) => message) : JSON.parse(JSON.stringify(data));
    };
  };
  connect('text', executeInProcess(subgraphs.text, silentLogger));
  connect('search', executeInProcess(subgraphs.search, silentLogger));
  connect('concordance', executeInProcess(subgraphs.concordance, silentLogger));
  for (const subgraph of Object.values(subgraphs)) closers.push(() => subgraph.close());
});
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(dataDir, { recursive: true, force: true });
});

const own = 'translation: "eng-own"';
const idOf = (place: string): string => Buffer.from(`v1:eng-own.${place}`).toString('base64url');

test('bibleIndex lists deuterocanonical books after Revelation with the testament DC, and books lists the 66 alone', async () => {
  const data = await query.text(
    `{ bibleIndex(${own}) { bookId name testament position } books { testament } translation(identifier: "eng-own") { complete } }`,
  );
  expect(data).toEqual({
    bibleIndex: [
      { bookId: 'GEN', name: 'Genesis', testament: 'OT', position: 1 },
      { bookId: 'MAL', name: 'Malachi', testament: 'OT', position: 39 },
      { bookId: 'MAT', name: 'Matthew', testament: 'NT', position: 40 },
      { bookId: 'TOB', name: 'Tobit', testament: 'DC', position: 67 },
      { bookId: 'ESG', name: 'Greek Esther', testament: 'DC', position: 69 },
      { bookId: 'SIR', name: 'Sirach', testament: 'DC', position: 71 },
      { bookId: '1MA', name: '1 Maccabees', testament: 'DC', position: 78 },
    ],
    books: Array.from({ length: 66 }, (_, index) => ({ testament: index < 39 ? 'OT' : 'NT' })),
    translation: { complete: false },
  });
});

test('bibleIndex, previous and next have the deuterocanonical books where the source has them, also in a package', async () => {
  const order = async (identifier: string, codes: string) => {
    const folder = join(dataDir, identifier);
    mkdirSync(folder);
    for (const [index, code] of codes.split(' ').entries())
      writeFileSync(join(folder, `${10 + index}.usfm`), `\\id ${code}\n\\c 1\n\\p\n\\v 1 Word\n`);
    await runCorpus('import', folder, '--language', 'eng', '--licence', 'PD');
    const subgraph = createTextSubgraph({ dataDir, preloadParser: false });
    const tobit = Buffer.from(`v1:${identifier}.TOB.1.1`).toString('base64url');
    const { data } = await executeInProcess(
      subgraph,
      silentLogger,
    )({
      query: `{ bibleIndex(translation: "${identifier}") { bookId } verses(ids: ["${tobit}"]) { previous { bookId } next { bookId } } }`,
    });
    await subgraph.close();
    const { bibleIndex, verses } = data as {
      bibleIndex: { bookId: string }[];
      verses: { previous: { bookId: string }; next: { bookId: string } | null }[];
    };
    const beside = `${verses[0]?.previous.bookId} ${verses[0]?.next?.bookId ?? 'nothing'}`;
    return [bibleIndex.map(({ bookId }) => bookId).join(' '), beside];
  };
  expect(await order('eng-cat', 'NEH TOB JDT EST 1MA JOB WIS MAL MAT')).toEqual([
    'NEH TOB JDT EST 1MA JOB WIS MAL MAT',
    'NEH JDT',
  ]);
  expect(await order('eng-apo', 'GEN MAL TOB 1MA MAT REV')).toEqual(['GEN MAL TOB 1MA MAT REV', 'MAL 1MA']);
  expect(await order('eng-lxx', 'JOB TOB NEH MAT')).toEqual(['NEH JOB MAT TOB', 'MAT nothing']);
  await buildOfflinePackages({
    dataDir,
    translations: parseOfflineTranslations('free'),
    log: () => undefined,
    jobs: 1,
  });
  const packages = openOfflinePackages(dataDir);
  const found = packages.find('eng-apo', 2);
  packages.close();
  if (!found) throw new Error('there is no package');
  const file = join(dataDir, 'eng-apo.sqlite');
  writeFileSync(file, gunzipSync(readFileSync(packageFile(dataDir, 'eng-apo', found))));
  const db = new Database(file);
  const codes = db.prepare('SELECT code FROM verses JOIN books ON books.id = book_id ORDER BY verses.id').pluck().all();
  db.close();
  expect(codes.join(' ')).toBe('GEN MAL TOB 1MA MAT REV');
});

test.each([
  ['Tobit 4:15', 'Tobit 4:15', 'Lend what you would borrow.'],
  ['Tobías 4,15', 'Tobit 4:15', 'Lend what you would borrow.'],
  ['Sir 24:1', 'Sirach 24:1', 'Wisdom sings in the orchard.'],
  ['Ecclesiasticus 24:1', 'Sirach 24:1', 'Wisdom sings in the orchard.'],
  ['1 Makk 2,1', '1 Maccabees 2:1', 'Five brothers built a gate.'],
  ['Esther (Greek) 4:18', 'Greek Esther 4:18', 'The queen folded her letter.'],
])(
  'in a translation with deuterocanonical books, the field passage reads %s as %s',
  async (written, reference, text) => {
    expect(await query.text(`{ passage(${own}, reference: "${written}") { reference text } }`)).toEqual({
      passage: { reference, text },
    });
  },
);

test('the field passage returns an error that says so if the translation lacks the deuterocanonical book', async () => {
  expect(await query.text(`{ passage(${own}, reference: "Judith 1:1") { text } }`)).toEqual([
    "Invalid reference: 'Judith 1:1' (book not found: this translation does not have Judith)",
  ]);
});

test('a verse of Tobit can be read by the code or name of its book and by its id, with its neighbours', async () => {
  const id = idOf('TOB.1.1');
  const verse = { id, reference: 'Tobit 1:1' };
  expect(
    await query.text(
      `{ code: verse(${own}, book: "TOB", chapter: 1, verse: 1) { id reference } name: verse(${own}, book: "tobías", chapter: 1, verse: 1) { id reference } verses(ids: ["${id}"]) { id reference previous { reference } next { reference } } references(${own}, text: "as in Tobit 4:15") { reference bookId } }`,
    ),
  ).toEqual({
    code: verse,
    name: verse,
    verses: [{ ...verse, previous: { reference: 'Matthew 1:1' }, next: { reference: 'Tobit 4:14' } }],
    references: [{ reference: 'Tobit 4:15', bookId: 'TOB' }],
  });
});

test.each([
  ['lat-own', 'DAN.3.25', { dag: 'Greek Daniel 3:25', s3y: 'Prayer of Azariah 1:2', lat: 'Daniel 3:25' }],
  ['eng-dag', 'DAG.3.25', { dag: 'Greek Daniel 3:25', s3y: 'Prayer of Azariah 1:2', lat: 'Daniel 3:25' }],
  ['eng-s3y', 'S3Y.1.2', { dag: 'Greek Daniel 3:25', s3y: 'Prayer of Azariah 1:2', lat: 'Daniel 3:25' }],
  ['lat-own', 'BAR.6.1', { dag: 'Baruch 6:2', s3y: 'Letter of Jeremiah 1:2', lat: 'Baruch 6:1' }],
  ['eng-s3y', 'LJE.1.2', { dag: 'Baruch 6:2', s3y: 'Letter of Jeremiah 1:2', lat: 'Baruch 6:1' }],
])(
  'in %s, inTranslation of %s finds the verse in the book in which the other translation prints it',
  async (identifier, verse, expected) => {
    const id = Buffer.from(`v1:${identifier}.${verse}`).toString('base64url');
    const other = (name: string) => `inTranslation(identifier: "${name}") { reference }`;
    expect(
      await query.text(
        `{ verses(ids: ["${id}"]) { dag: ${other('eng-dag')} s3y: ${other('eng-s3y')} lat: ${other('lat-own')} own: ${other('eng-own')} } }`,
      ),
    ).toEqual({
      verses: [
        {
          ...Object.fromEntries(Object.entries(expected).map(([name, reference]) => [name, { reference }])),
          own: null,
        },
      ],
    });
  },
);

test('randomVerse returns a verse of a deuterocanonical book only if the argument books names the book', async () => {
  const draw = async (filter: string) => query.text(`{ randomVerse(${own}${filter}) { reference } }`);
  // The last of the verses is drawn.
  expect(await draw('')).toEqual({ randomVerse: { reference: 'Matthew 1:1' } });
  expect(await draw(', testament: "OT"')).toEqual({ randomVerse: { reference: 'Malachi 1:1' } });
  expect(await draw(', testament: "NT"')).toEqual({ randomVerse: { reference: 'Matthew 1:1' } });
  expect(await draw(', books: "Genesis, Tobit"')).toEqual({ randomVerse: { reference: 'Tobit 4:15' } });
});

test('searchVerses finds deuterocanonical verses and references, and its facets count them by book alone', async () => {
  const search = (args: string) =>
    query.search(
      `{ searchVerses(${own}, order: CANONICAL, ${args}) { totalCount edges { node { reference } } facets { byBook { bookId count } byTestament { old new } } } }`,
    );
  const references = (...found: string[]) => found.map((reference) => ({ node: { reference } }));
  expect(await search('query: "lantern"')).toEqual({
    searchVerses: {
      totalCount: 5,
      edges: references('Genesis 1:1', 'Malachi 1:1', 'Matthew 1:1', 'Tobit 1:1', 'Sirach 24:2'),
      facets: {
        byBook: ['GEN', 'MAL', 'MAT', 'TOB', 'SIR'].map((bookId) => ({ bookId, count: 1 })),
        byTestament: { old: 2, new: 1 },
      },
    },
  });
  expect(await search('query: "lantern", testament: NEW')).toMatchObject({
    searchVerses: { edges: references('Matthew 1:1') },
  });
  expect(await search('query: "lantern", books: "Ecclesiasticus, TOB"')).toMatchObject({
    searchVerses: { edges: references('Tobit 1:1', 'Sirach 24:2') },
  });
  expect(await search('query: "Sir 24:1"')).toMatchObject({ searchVerses: { edges: references('Sirach 24:1') } });
  expect(await search('query: "orchard wisdom", mode: BEST')).toMatchObject({
    searchVerses: { edges: references('Sirach 24:1') },
  });
});

test('the fields concordance and concordanceIndex include the words of deuterocanonical books', async () => {
  const concordance = (args: string) =>
    query.concordance(
      `{ concordance(${own}, word: "lantern"${args}) { totalCount edges { cursor node { verse { id } } } entry { occurrencesByBook { bookId count } occurrencesByTestament { old new } } } }`,
    );
  const all = (await concordance('')) as { concordance: { edges: { cursor: string }[] } };
  expect(all).toMatchObject({
    concordance: {
      totalCount: 5,
      entry: {
        occurrencesByBook: ['GEN', 'MAL', 'MAT', 'TOB', 'SIR'].map((bookId) => ({ bookId, count: 1 })),
        occurrencesByTestament: { old: 2, new: 1 },
      },
    },
  });
  const cursor = all.concordance.edges[3]?.cursor ?? '';
  expect(await concordance(`, after: "${cursor}"`)).toMatchObject({
    concordance: { edges: [{ node: { verse: { id: idOf('SIR.24.2') } } }] },
  });
  expect(await concordance(', testament: NEW')).toMatchObject({ concordance: { totalCount: 1 } });
  expect(await concordance(', book: "Tobías"')).toMatchObject({
    concordance: { edges: [{ node: { verse: { id: idOf('TOB.1.1') } } }] },
  });
  expect(await query.concordance(`{ concordanceIndex(${own}, prefix: "orch") { lemma } }`)).toMatchObject({
    concordanceIndex: [{ lemma: 'orchard' }],
  });
});

test('an offline package of schema version 1 has only the 66 books, and one of version 2 the deuterocanonical ones too', () => {
  const packages = openOfflinePackages(dataDir);
  const contents = [1, 2].map((version) => {
    const found = packages.find('eng-own', version);
    if (!found) throw new Error(`there is no package of version ${version}`);
    const file = join(dataDir, `v${version}.sqlite`);
    writeFileSync(file, gunzipSync(readFileSync(packageFile(dataDir, 'eng-own', found))));
    const db = new Database(file);
    const select = (sql: string) => db.prepare(sql).pluck().all();
    const codes = select('SELECT code FROM books ORDER BY id').join(' ');
    const counts = [found.verseCount, ...select("SELECT value FROM meta WHERE key = 'verse_count'")].map(Number);
    const testaments = select('SELECT DISTINCT testament FROM books').join(' ');
    db.close();
    return [codes, testaments, ...counts];
  });
  packages.close();
  expect(contents).toEqual([
    ['GEN MAL MAT', 'OT NT', 3, 3],
    ['GEN MAL MAT TOB ESG SIR 1MA', 'OT NT DC', 10, 10],
  ]);
});

test('corpus check reports missing, repeated and unknown verses of a deuterocanonical book', async () => {
  const file = join(dataDir, 'letter.usfm');
  const verses = Array.from({ length: 70 }, (_, index) => `\\v ${index + 1} Text.`).join('\n');
  writeFileSync(file, `\\id LJE\n\\c 1\n\\p\n${verses}\n\\v 70 Again.\n\\v 72 Text.\n\\v 73 Text.\n\\v 74 Text.\n`);
  const { out } = await runCorpus('check', file, '--json');
  const { findings } = JSON.parse(out) as { findings: { kind: string; place: string }[] };
  expect(findings.map(({ kind, place }) => `${kind} ${place}`)).toEqual([
    'doubled-verse LJE 1:70',
    'missing-verse LJE 1:71',
    'unknown-verse LJE 1:74',
  ]);
});
