import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePlace, verseId, verseOrdinal, verseWordId } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { dataDir, useStarted, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { describeWithTexts, openRealOriginalsClient } from '../../test-support/originals-client';
import { readStoredWords } from '../../test-support/stored-words';
import { originalsFile, runExportCommand } from '../index';

interface Column {
  originalWords: { surface: string; strongsNumber: string | null }[];
  rendering: string | null;
}
const client = describeWithTexts === describe ? useStarted(openRealOriginalsClient) : null;
const selection = (order: string) =>
  `interlinear(order: ${order}) { rendering originalWords { surface: unpointed strongsNumber } }`;

/** The columns of a verse as `original = rendering`, without columns of one side only. */
async function pairs(place: string, order = 'ORIGINAL'): Promise<string[]> {
  const [verse] = (await client?.verses<{ interlinear: Column[] }>(selection(order), [place])) ?? [];
  return (verse?.interlinear ?? [])
    .filter(({ originalWords, rendering }) => originalWords.length > 0 && rendering !== null)
    .map(({ originalWords, rendering }) => `${originalWords.map(({ surface }) => surface).join(' ')} = ${rendering}`);
}

/** Exports the alignment of the King James Version in some books. Returns what was printed, and reads the files. */
async function exported(books: readonly string[]) {
  const printed: string[] = [];
  const options = { dataDir, write: (line: string) => printed.push(line), log: (line: string) => printed.push(line) };
  return withFolder(async (parent) => {
    const folder = join(parent, 'burrito');
    expect([await runExportCommand(['eng-kjv', folder, ...books], options), printed]).toEqual([
      0,
      [expect.any(String)],
    ]);
    const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    return { printed, read: (name: string) => files.get(name) ?? '' };
  });
}

describeWithTexts('with the original texts', () => {
  test('interlinear lists the original words in their order, each with the words of the translation that render it', async () => {
    expect(await pairs('eng-kjv JHN 1:5')).toEqual([
      'και = And',
      'φως = light',
      'εν = in',
      'σκοτια = darkness',
      'φαινει = shineth',
      'και = and',
      'σκοτια = darkness',
      'αυτο = it',
      'ου = not',
      'κατελαβεν = comprehended',
    ]);
  });

  test('the field interlinear with order: TRANSLATION lists all words of the translation, each with its Hebrew or Greek words', async () => {
    const [verse] =
      (await client?.verses<{ interlinear: Column[] }>(selection('TRANSLATION'), ['eng-kjv DAN 2:4'])) ?? [];
    expect(verse?.interlinear.map(({ rendering }) => rendering).join(' ')).toBe(
      'Then spake the Chaldeans to the king in Syriack O king live for ever tell thy servants the dream and we will shew the interpretation',
    );
    const live = await pairs('eng-kjv DAN 2:4', 'TRANSLATION');
    expect(live.slice(4, 8)).toEqual(['מלכא = king', 'חיי = live', 'לעלמין = ever', 'אמר = tell']);
  });

  test.each([
    ['a verse with another number in the original', 'eng-kjv JOL 2:28', 'רוחי = spirit'],
    ['a verse of the last chapter of Malachi', 'eng-kjv MAL 4:5', 'הנביא = the prophet'],
    ['the title of a psalm, which the Reina-Valera has in its verse 1', 'spa-rv1909 PSA 51:1', 'נתן = él Nathán'],
    ['the verse after the title of a psalm', 'eng-kjv PSA 51:1', 'כחסדך = lovingkindness'],
    ['the last verse of 3 John, which is two verses in Greek', 'spa-rv1909 3JN 1:14', 'Ειρηνη = Paz'],
    ['a word with a marginal reading (qere)', 'eng-kjv GEN 8:17', 'הוצא = forth'],
    ["a Strong's number of an inflected form", 'eng-kjv JHN 21:15', 'λεγει = saith'],
    ['a suffix that is a pronoun', 'spa-rv1909 EZR 10:14', 'שרינו = Estén ahora nuestros'],
  ])('the field interlinear links an original word with its translation in this case: %s', async (_, place, pair) => {
    expect(await pairs(place)).toContain(pair);
  });

  test('the field interlinear in the order of the original words is empty for a verse that the Greek text lacks', async () => {
    const places = ['eng-kjv ACT 8:37', 'eng-kjv ROM 16:25', 'eng-kjv ROM 16:27'];
    expect(await client?.verses(selection('ORIGINAL'), places)).toEqual(places.map(() => ({ interlinear: [] })));
    const [verse] =
      (await client?.verses<{ interlinear: Column[] }>(selection('TRANSLATION'), ['eng-kjv ACT 8:37'])) ?? [];
    expect(verse?.interlinear).toEqual([{ rendering: expect.stringMatching(/^And Philip said/), originalWords: [] }]);
  });

  test("in a translation without Strong's numbers, the field interlinear lists the original words without translations", async () => {
    const [verse] = (await client?.verses<{ interlinear: Column[] }>(selection('ORIGINAL'), ['eng-web GEN 1:1'])) ?? [];
    expect(verse?.interlinear.map(({ originalWords, rendering }) => [originalWords.length, rendering])).toEqual(
      Array.from({ length: 7 }, () => [1, null]),
    );
  });

  test('the fields Word.originalWords and OriginalWord.renderings link the same pairs of original and translated words', async () => {
    const [verse] =
      (await client?.verses<{ interlinear: { words: { id: string; originalWords: Rendered[] }[] }[] }>(
        'interlinear(order: TRANSLATION) { words { id originalWords { id renderings(translation: "eng-kjv") { id } } } }',
        ['eng-kjv PSA 3:1'],
      )) ?? [];
    const words = verse?.interlinear.flatMap((column) => column.words) ?? [];
    expect(words.length).toBeGreaterThan(15);
    const forward = words.flatMap(({ id, originalWords }) => originalWords.map((word) => `${id} ${word.id}`));
    const back = words.flatMap(({ originalWords }) =>
      originalWords.flatMap(({ id, renderings }) => renderings.map((word) => `${word.id} ${id}`)),
    );
    expect(forward.length).toBeGreaterThan(4);
    expect(new Set(back)).toEqual(new Set(forward));
  });

  test('Word.originalWords is empty for an id that names no word, and _entities returns null for a malformed id', async () => {
    const verse = { translation: 'eng-kjv', book: 'JHN', chapter: 1, verse: 1 } as const;
    const ids = [
      verseWordId(verse, 1),
      verseWordId({ ...verse, verse: 99 }, 0),
      verseWordId({ ...verse, translation: 'gone' }, 0),
    ];
    const representations = [...ids, verseId(verse), 'x', ''].map((id) => ({ __typename: 'Word', id }));
    const query =
      'query ($r: [_Any!]!) { words: _entities(representations: $r) { ... on Word { originalWords { id } } } }';
    const none = { originalWords: [] };
    expect(await client?.data(query, { r: representations })).toEqual({ words: [none, none, none, null, null, null] });
  });

  test('the field OriginalWord.renderings returns words of the requested translation, and fails for an unknown translation', async () => {
    const query = (translation: string) =>
      `{ verses: _entities(representations: [{ __typename: "Verse", id: "${verseId({ translation: 'eng-kjv', book: 'JHN', chapter: 21, verse: 15 })}" }]) { ... on Verse { original { words { lemma renderings(translation: "${translation}") { id } } } } } }`;
    const data = await client?.data<{
      verses: { original: { words: { lemma: string; renderings: object[] }[] }[] }[];
    }>(query('spa-rv1909'));
    const loves = data?.verses[0]?.original[0]?.words.filter(({ lemma }) => /ἀγαπάω|φιλέω/.test(lemma));
    expect(loves?.map(({ renderings }) => renderings.length)).toEqual([1, 1]);
    expect(await client?.error(query('gone'))).toEqual(["Translation 'gone' not found", 'NOT_FOUND']);
  });

  test("export:alignment writes each Strong's number that matches no original word to unaligned.tsv, with a correct reason", async () => {
    const read = ['JOL', 'DAN', 'MAL', 'JHN'];
    const { printed, read: readExported } = await exported(read);
    const lines = readExported('unaligned.tsv').trim().split('\n').slice(1);
    const all = { H: 0, G: 0 };
    const corpus = openCorpus(dataDir);
    for (const { book, words } of corpus.eachVerse('eng-kjv'))
      if (read.includes(book))
        for (const number of words.flatMap(({ strongs }) => strongs)) all[number.startsWith('H') ? 'H' : 'G'] += 1;
    corpus.close();
    const without = (letter: string) => lines.filter((line) => line.split('\t')[2]?.startsWith(letter)).length;
    expect(printed).toEqual([
      `Hebrew: ${all.H - without('H')} of ${all.H} numbers\nGreek: ${all.G - without('G')} of ${all.G} numbers`,
    ]);
    expect([without('H') / all.H < 0.01, without('G') / all.G < 0.05]).toEqual([true, true]);
    const db = new Database(originalsFile(dataDir), { readonly: true });
    const verses = db.prepare<[number], { first: number; words: number }>(
      'SELECT v.first_word AS first, v.words FROM rendering r JOIN verse v ON v.number = r.verse WHERE r.standard = ?',
    );
    const words = readStoredWords();
    for (const line of lines) {
      const [place = '', , number = '', reason] = line.split('\t');
      const parsed = parsePlace(place);
      const found = (parsed ? verses.all(verseOrdinal(parsed)) : []).flatMap(({ first, words: count }) =>
        words.slice(first - 1, first - 1 + count).map(({ strongs }) => strongs),
      );
      const allowed =
        found.length === 0
          ? ['no original verse']
          : found.includes(number)
            ? ['fewer such words in the original verse']
            : ['no such word in the original verse', 'fewer such words in the original verse'];
      expect([line, allowed.includes(reason ?? '')]).toEqual([line, true]);
    }
    db.close();
  });

  test('export:alignment writes a Scripture Burrito whose records join words that interlinear shows together', async () => {
    const { read } = await exported(['JHN', 'JOL']);
    const tokens = new Map(
      read('tokens.tsv')
        .trim()
        .split('\n')
        .map((line): [string, string] => [line.slice(0, line.lastIndexOf('\t')), line.split('\t')[2] ?? '']),
    );
    const { groups, ...format } = JSON.parse(read('alignment.json')) as {
      groups: { documents: { docid: string }[]; records: { source: string[]; target: string[] }[] }[];
    };
    expect(format).toEqual({ format: 'alignment', version: '0.4' });
    const documents = groups.map((group) => group.documents.map(({ docid }) => docid));
    expect(documents).toEqual([
      ['hbo-wlc', 'eng-kjv'],
      ['grc-sblgnt', 'eng-kjv'],
    ]);
    const textOf = (document: string | undefined, selectors: string[]) =>
      selectors.map((selector) => tokens.get(`${document}\t${selector}`) ?? `no token ${selector}`).join(' ');
    const found = groups.flatMap(({ documents: [source, target], records }) =>
      records.map((record) => ({
        verse: record.target[0]?.slice(0, 8),
        text: `${textOf(source?.docid, record.source)} = ${textOf(target?.docid, record.target)}`,
      })),
    );
    expect(found.filter(({ text }) => text.includes('no token'))).toEqual([]);
    const verse = (id: string) => found.filter((record) => record.verse === id).map(({ text }) => text);
    const expected = (await pairs('eng-kjv JHN 1:5')).map((pair) => pair.split(' = ')[1]);
    expect(
      verse('43001005')
        .map((text) => text.split(' = ')[1])
        .sort(),
    ).toEqual([...expected].sort());
    expect(verse('29002028')).toContain('רוּחִי֙ = spirit');
    const { ingredients } = JSON.parse(read('metadata.json')) as { ingredients: Record<string, { size: number }> };
    expect(Object.entries(ingredients).map(([file, { size }]) => [file, size])).toEqual(
      ['alignment.json', 'tokens.tsv', 'unaligned.tsv'].map((file) => [file, Buffer.byteLength(read(file))]),
    );
  });

  test('export:alignment names what is wrong with its arguments, and writes to no folder that exists', async () => {
    const errors: string[] = [];
    const options = { dataDir, write: () => {}, log: (line: string) => errors.push(line) };
    const statuses = await withFolder(async (folder) => {
      const found = [];
      for (const args of [
        [],
        ['eng-kjv'],
        ['eng-kjv', join(folder, 'new'), 'XYZ'],
        ['gone', join(folder, 'new')],
        ['eng-kjv', folder],
      ])
        found.push(await runExportCommand(args, options));
      expect(readdirSync(folder)).toEqual([]);
      return found;
    });
    expect(statuses).toEqual([2, 2, 2, 1, 1]);
    expect(errors).toEqual([
      'export:alignment: name a TRANSLATION and a FOLDER, such as eng-kjv kjv-alignment; --help shows the usage',
      'export:alignment: name a TRANSLATION and a FOLDER, such as eng-kjv kjv-alignment; --help shows the usage',
      "export:alignment: eng-kjv has no book 'XYZ'; --help shows the usage",
      "export:alignment: there is no translation 'gone'",
      expect.stringMatching(/^export:alignment: \S+ exists already: name a new folder, or remove it$/),
    ]);
  });

  test('export:alignment says on one line that its folder cannot be made', async () => {
    const errors: string[] = [];
    const options = { dataDir, write: () => {}, log: (line: string) => errors.push(line) };
    await withFolder(async (parent) => {
      const folder = join(parent, 'file', 'new');
      writeFileSync(join(parent, 'file'), '');
      expect(await runExportCommand(['eng-kjv', folder, 'JUD'], options)).toBe(1);
      expect(errors).toEqual([
        `export:alignment: ${folder} cannot be made (ENOTDIR): name a folder that you can write`,
      ]);
    });
  });
});

interface Rendered {
  id: string;
  renderings: { id: string }[];
}
