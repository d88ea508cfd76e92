import { execFileSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findModules, readDictionary } from '@lectern/corpus';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { withFolder } from '@lectern/testing';
import { writeDictionary } from '../../../../packages/corpus/test-support/write-sword-dictionary';
import { dictionaryConf } from '../../test-support/find-strongs-dictionaries';
import { isolatedEnv, makeSmallCorpus } from '../../test-support/import-invented-psalms';
import { buildConcordanceIndex, createConcordanceSubgraph } from '../index';
import { parseLexiconEntry, readLexicon, strongsModules } from './dictionaries';

const love =
  '<entryFree n="00026"> <orth>ἀγάπη</orth> <orth type="writing">A)GA/PH</orth> <orth rend="bold" type="trans">agápē</orth> <pron rend="italic">ag-ah&apos;-pay</pron><lb/> ' +
  '<lb/> <def><orig>from <ref target="StrongsGreek:025">G025</ref>;</orig><lb/> love &amp; affection:--love. </def> </entryFree>';
const father =
  '<entryFree n="1"> <orth>אב</orth><lb/> <orth rend="bold" type="trans">\'âb</orth> <pron rend="italic">awb</pron><lb/> ' +
  '<def>A primitive word;<lb/> <hi>father</hi>: - {chief} (fore-) father ({[-less]}) X {patrimony} principal.</def></entryFree>';

describe('entries of dictionaries', () => {
  test('parseLexiconEntry returns lemma, transliteration and definition without markup', () => {
    expect(parseLexiconEntry(love)).toEqual({
      lemma: 'ἀγάπη',
      spellings: ['ἀγάπη'],
      transliteration: 'agápē',
      definition: 'from G25; love & affection:--love.',
    });
  });

  test('parseLexiconEntry changes a 6 after a word in the Hebrew dictionary to a comma, but no other 6', () => {
    const markup = (text: string): string => father.replace('A primitive word;', text);
    expect(parseLexiconEntry(markup('except6 unless (H6); of origin6; Josh 13:26;'))?.definition).toMatch(
      /^except, unless \(H6\); of origin; Josh 13:26; father/,
    );
  });

  test('parseLexiconEntry lists a word once that the Hebrew dictionary writes twice without points', () => {
    expect(parseLexiconEntry(father.replace('אב', 'אהב  אהב'))).toMatchObject({ lemma: 'אהב', spellings: ['אהב'] });
  });

  test('parseLexiconEntry changes {word} in the Hebrew dictionary to the word and a comma', () => {
    expect(parseLexiconEntry(father)).toEqual({
      lemma: 'אב',
      spellings: ['אב'],
      transliteration: "'âb",
      definition: 'A primitive word; father: - chief, (fore-) father ([-less]), X patrimony, principal.',
    });
  });

  test('parseLexiconEntry lists the spellings of a Hebrew word in the order of their transliterations', () => {
    const adonijah =
      '<orth>אדניּהוּ    אדניּהo</orth><lb/> <orth type="trans">\'ădônîyâh  \'ădônîyâhû</orth> <def>lord</def>';
    expect(parseLexiconEntry(adonijah)).toEqual({
      lemma: 'אדניּהוּ אדניּה',
      spellings: ['אדניּה', 'אדניּהוּ'],
      transliteration: "'ădônîyâh 'ădônîyâhû",
      definition: 'lord',
    });
    expect(parseLexiconEntry('<orth>οὐ μή</orth> <def>not</def>')?.spellings).toEqual(['οὐ μή']);
  });

  test("parseLexiconEntry returns null for an unused Strong's number, and only a definition for a text without markup", () => {
    expect(parseLexiconEntry('<entryFree n="02717">   <def>Not Used </def> </entryFree>')).toBeNull();
    expect(parseLexiconEntry('')).toBeNull();
    expect(parseLexiconEntry('a father,\r\n in a literal sense')).toEqual({
      lemma: null,
      spellings: [],
      transliteration: null,
      definition: 'a father, in a literal sense',
    });
  });
});

test.each(['zLD', 'RawLD', 'RawLD4'] as const)(
  'readDictionary returns the keys and texts of a SWORD module with the driver %s',
  async (driver) => {
    await withFolder((folder) => {
      const entries = [
        ['00001', 'Alpha'],
        ['00002', 'Ἀαρών'],
        ['00003', ''],
      ] as const;
      const dictionary = readDictionary(writeDictionary(folder, { module: 'Small', driver, entries }));
      expect(dictionary).toEqual(entries.map(([key, text]) => ({ key, text })));
    });
  },
);

test.each([
  [
    'whose .conf file is missing',
    (folder: string) =>
      writeDictionary(folder, { module: 'Small', driver: 'RawLD', entries: [], conf: '' }).replace('small', 'none'),
    /ENOENT/,
  ],
  [
    'that is cut off',
    (folder: string) => {
      const conf = writeDictionary(folder, {
        module: 'Small',
        driver: 'RawLD4',
        entries: [
          ['00001', 'Alpha'],
          ['00002', 'Beta'],
        ],
      });
      truncateSync(join(folder, 'modules', 'lexdict', 'Small', 'dict.dat'), 15);
      return conf;
    },
    /it is cut off/,
  ],
])('readDictionary throws an error that says what is wrong for a SWORD module %s', async (_, write, message) => {
  await withFolder((folder) => expect(() => readDictionary(write(folder))).toThrow(message));
});

test('readLexicon reads dictionaries from SWORD_PATH and the sources folder, and skips a damaged dictionary with a warning', async () => {
  await withFolder((folder) => {
    const [sword, data] = [join(folder, 'sword'), join(folder, 'data')];
    writeDictionary(sword, { module: 'StrongsGreek', driver: 'zLD', entries: [['00026', love]] });
    writeDictionary(join(data, 'sources', 'StrongsHebrew'), {
      module: 'StrongsHebrew',
      driver: 'RawLD',
      entries: [
        ['H0001', father],
        ['not a number', 'x'],
      ],
    });
    const lines: string[] = [];
    const read = () =>
      readLexicon(
        findModules(strongsModules(), {
          dataDir: data,
          env: { ...isolatedEnv(folder), SWORD_PATH: sword },
          swordRoots: [],
          log: (line) => lines.push(line),
        }).found,
      );
    expect([...read().entries.keys()]).toEqual(['H1', 'G26']);
    expect([read().missingLetters, lines]).toEqual([[], []]);
    truncateSync(join(sword, 'modules', 'lexdict', 'StrongsGreek', 'dict.zdt'), 10);
    const damaged = read();
    expect([[...damaged.entries.keys()], damaged.missingLetters]).toEqual([['H1'], ['G']]);
    expect(lines).toEqual([`warning: StrongsGreek in ${sword} is not used: it is cut off`]);
  });
});

test('strongs returns only number and language if the dictionary lacks the entry, until a build adds a newer dictionary', async () => {
  await withFolder(async (folder) => {
    await makeSmallCorpus(folder, [
      { identifier: 'eng-small', language: 'eng', verses: ['<w s="G25">Loved</w> with <w s="G26">love</w>'] },
    ]);
    const build = (SWORD_PATH: string) =>
      buildConcordanceIndex({
        dataDir: folder,
        log: () => undefined,
        env: { ...isolatedEnv(folder), SWORD_PATH },
        swordRoots: [],
      });
    const queryStrongs = async (number: string) => {
      const subgraph = createConcordanceSubgraph({ dataDir: folder });
      const response = await executeInProcess(
        subgraph,
        silentLogger,
      )({ query: `{ strongs(number: "${number}") { number lemma transliteration definition language } }` });
      subgraph.close();
      return response;
    };
    const sword = join(folder, 'sword');
    writeDictionary(sword, { module: 'StrongsGreek', driver: 'zLD', entries: [['00026', love]] });

    expect(await build(sword)).toBe(true);
    expect((await queryStrongs('g0026')).data).toEqual({
      strongs: {
        number: 'G26',
        lemma: 'ἀγάπη',
        transliteration: 'agápē',
        definition: 'from G25; love & affection:--love.',
        language: 'grc',
      },
    });
    expect((await queryStrongs('G25')).data).toEqual({
      strongs: { number: 'G25', lemma: null, transliteration: null, definition: null, language: 'grc' },
    });
    expect((await queryStrongs('G2717')).errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND' });
    expect(await build(sword)).toBe(false);

    const more = join(folder, 'more');
    writeDictionary(more, {
      module: 'StrongsGreek',
      driver: 'zLD',
      entries: [
        ['00025', love],
        ['00026', love],
      ],
    });
    expect(await build(more)).toBe(true);
    expect((await queryStrongs('G25')).data).toMatchObject({ strongs: { lemma: 'ἀγάπη' } });
  });
});

const modules = ['StrongsHebrew', 'StrongsGreek'] as const;

/** Returns the entries that the SWORD program mod2imp prints, or null if it is not installed. */
function mod2impEntries(module: string, conf: string): string[][] | null {
  try {
    const output = execFileSync('mod2imp', [module], {
      env: { ...process.env, SWORD_PATH: join(dirname(conf), '..') },
      maxBuffer: 1 << 26,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output
      .split('$$$')
      .slice(1)
      .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1).trim()]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const compared = modules.flatMap((module) => {
  const conf = dictionaryConf(module);
  const entries = conf && mod2impEntries(module, conf);
  return conf && entries ? [[module, conf, entries] as const] : [];
});
if (compared.length === 0 && process.env['CI'] === 'true')
  throw new Error('mod2imp is missing: apt-get install libsword-utils');
if (compared.length === 0)
  process.stderr.write("skipped: comparing Strong's dictionaries with mod2imp (apt-get install libsword-utils)\n");

// mod2imp prints the line breaks of an entry as spaces.
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const describeWithMod2imp = compared.length > 0 ? describe : describe.skip;
describeWithMod2imp('compared with mod2imp', () => {
  test('readDictionary returns the same entries as the SWORD program mod2imp, and parseLexiconEntry reads nearly all of them', () => {
    for (const [module, conf, entries] of compared) {
      const ours = readDictionary(conf);
      expect(
        ours.filter(
          ({ key, text }, at) => entries[at]?.[0] !== key || onOneLine(text) !== onOneLine(entries[at]?.[1] ?? ''),
        ),
      ).toEqual([]);
      expect(ours).toHaveLength(entries.length);
      const parsed = ours.map(({ text }) => parseLexiconEntry(text));
      const unused = parsed.filter((entry) => entry === null).length;
      expect(unused).toBe(module === 'StrongsGreek' ? 101 : 0);
      expect(
        parsed.filter((entry) =>
          /[<>{}\n]|&\w+;/.test(`${entry?.lemma ?? ''}${entry?.transliteration ?? ''}${entry?.definition ?? ''}`),
        ),
      ).toEqual([]);
      expect(
        parsed.filter((entry) => entry && !(entry.lemma && entry.transliteration && entry.definition)).length,
      ).toBeLessThan(20);
    }
  });
});
