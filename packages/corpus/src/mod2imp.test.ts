import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { type BookCode, books } from '@lectern/canon';
import { fetchingMs, realCorpus, realSources } from '../test-support/real-corpus';
import { defaultTranslations } from './default-translations';
import { type Corpus, openCorpus } from './open-corpus';

// mod2imp (Debian: libsword-utils) prints a module by SWORD's own library. What it prints is stripped here by other
// means than ours: the letters of every verse must be the same, and a blank that it prints must be one of ours.

function hasMod2imp(): boolean {
  try {
    execFileSync('mod2imp', { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

const present = hasMod2imp();
if (!present && process.env['CI'] === 'true') throw new Error('mod2imp is missing: apt-get install libsword-utils');
if (!present) process.stderr.write('skipped: comparing every verse with mod2imp (apt-get install libsword-utils)\n');
const compared = present ? describe : describe.skip;

/** Verses whose text is meant to differ, with the text that mod2imp's becomes. */
const mended: Readonly<Record<string, (plain: string) => string>> = {
  'engWEB2015eb ROM 14:23': (plain) => plain.slice(0, plain.indexOf('Now to him')),
  'engWEB2015eb REV 22:21': (plain) => plain.slice(0, plain.indexOf('The following words used in')),
};
/** Leftovers of USFM that KJV has in the words of these verses: "\nd LORD". */
const leftovers = [
  'EXO 6:3',
  'EXO 32:14',
  'LEV 19:25',
  'LEV 24:13',
  'DEU 29:23',
  'DEU 32:30',
  'JOS 23:10',
  '1SA 3:8',
  '2SA 6:5',
  '2SA 21:7',
  '1KI 13:9',
  '2CH 29:16',
  '2CH 29:27',
  'ISA 7:11',
  'ISA 45:25',
  'ISA 62:8',
  'JER 23:7',
  'JER 26:20',
  'JER 27:4',
  'JER 33:4',
  'EZK 35:11',
  'JOL 3:14',
  'AMO 3:7',
  'JON 1:10',
  'NAM 1:3',
  'ZEP 1:6',
  'EXO 17:16',
];

let corpus: Corpus;
let roots: ReadonlyMap<string, string>;
beforeAll(async () => {
  corpus = openCorpus(await realCorpus());
  roots = new Map([...(await realSources())].map(([module, conf]) => [module, join(dirname(conf), '..')]));
}, fetchingMs);
afterAll(() => corpus?.close());

function readMod2imp(module: string): Map<string, string> {
  const output = execFileSync('mod2imp', [module], {
    env: { ...process.env, SWORD_PATH: roots.get(module) ?? '' },
    maxBuffer: 1 << 28,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const verses = new Map<string, string>();
  const names: string[] = [];
  const slots: [name: string, place: string, entry: string][] = [];
  for (const slot of output.split('$$$').slice(1)) {
    const [, name = '', chapter = '', verse = ''] = /^(.+) (\d+):(\d+)\n/.exec(slot) ?? [];
    if (name === '') continue;
    if (!names.includes(name)) names.push(name);
    if (verse !== '0') slots.push([name, `${chapter}:${verse}`, slot.slice(slot.indexOf('\n') + 1)]);
  }
  // The books come in order; what stands between Malachi and Matthew is left out.
  const code = (name: string): BookCode | undefined => {
    const index = names.indexOf(name);
    const fromEnd = index - names.length + books.length;
    return books[index < 39 ? index : fromEnd < 39 ? -1 : fromEnd]?.code;
  };
  for (const [name, place, entry] of slots) {
    const book = code(name);
    if (book) verses.set(`${book} ${place}`, plainText(entry));
  }
  return verses;
}

const plainText = (entry: string): string =>
  entry
    .replace(/<note.*?<\/note>/gs, '')
    .replace(/<title.*?<\/title>/gs, '')
    .replace(/<speaker>.*?<\/speaker>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/¶/g, ' ')
    .trim();

const lettersOf = (text: string): string => text.normalize('NFC').replace(/\P{L}/gu, '');
/** Letters, with one blank wherever a word ends. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .split(/\s+/)
    .map(lettersOf)
    .filter((word) => word !== '');

compared('what mod2imp prints', () => {
  test.each(defaultTranslations)(
    'every verse of $identifier has the letters that mod2imp prints',
    ({ identifier, module }) => {
      const printed = readMod2imp(module);
      const differing: string[] = [];
      for (const { book, chapter, verse, text } of corpus.eachVerse(identifier)) {
        const place = `${book} ${chapter}:${verse}`;
        const raw = printed.get(place) ?? '';
        printed.delete(place);
        const expected = mended[`${module} ${place}`]?.(raw) ?? raw;
        if (lettersOf(text) !== lettersOf(expected)) differing.push(place);
      }
      const onlyOurs = module === 'engWEB2015eb' ? ['ROM 14:24', 'ROM 14:25', 'ROM 14:26'] : [];
      expect(differing.sort()).toEqual([...onlyOurs, ...(module === 'engKJV2006eb' ? leftovers : [])].sort());
      expect([...printed].filter(([, raw]) => raw !== '')).toEqual([]);
    },
    60_000,
  );

  test.each(defaultTranslations)(
    'no blank of $identifier is lost, and the added ones are those that the markup had swallowed',
    ({ identifier, module }) => {
      const printed = readMod2imp(module);
      let added = 0;
      const lost: string[] = [];
      for (const { book, chapter, verse, text } of corpus.eachVerse(identifier)) {
        const place = `${book} ${chapter}:${verse}`;
        const raw = printed.get(place) ?? '';
        const theirs = wordsOf(mended[`${module} ${place}`]?.(raw) ?? raw);
        const ours = wordsOf(text);
        if (ours.join('') !== theirs.join('')) continue;
        if (ours.length > theirs.length) added += 1;
        const ends = (words: string[]): Set<number> =>
          new Set(words.map((_, index) => words.slice(0, index + 1).join('').length));
        const own = ends(ours);
        if ([...ends(theirs)].some((end) => !own.has(end))) lost.push(place);
      }
      expect(lost).toEqual([]);
      expect({ identifier, added }).toEqual({
        identifier,
        added: { 'eng-kjv': 0, 'eng-web': 235, 'spa-rv1909': 296 }[identifier],
      });
    },
    60_000,
  );

  test('the leftovers that are listed are in KJV', () => {
    const printed = readMod2imp('engKJV2006eb');
    expect(
      [...printed]
        .filter(([, raw]) => raw.includes('\\'))
        .map(([place]) => place)
        .sort(),
    ).toEqual([...leftovers].sort());
  }, 60_000);
});
