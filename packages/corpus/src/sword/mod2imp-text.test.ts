import { itemsOfThisRun } from '@lectern/testing';
import { describeWithMod2imp, printEntries } from '../../test-support/mod2imp';
import { realCorpus, realSources } from '../../test-support/real-corpus';
import { defaultTranslations } from '../default-translations';
import type { ModuleSources } from '../fetch/modules';
import { type Corpus, openCorpus } from '../open-corpus';

// mod2imp is a program of the SWORD project that prints the entries of a module. These tests remove
// the markup from its output with simple regular expressions, and compare every verse with the
// verse of our importer. The letters must be equal, and no space may be lost.

/**
 * The verses after which the module stores other text, which the importer cuts off. Each function
 * cuts off the same text from the output of mod2imp.
 */
const repairs: Readonly<Record<string, (plain: string) => string>> = {
  'engWEB2015eb ROM 14:23': (plain) => plain.slice(0, plain.indexOf('Now to him')),
  'engWEB2015eb REV 22:21': (plain) => plain.slice(0, plain.indexOf('The following words used in')),
};
/** Verses of KJV that contain USFM markers ("\nd LORD"), which the importer removes. */
const versesWithMarkers = [
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
let sources: ModuleSources;
beforeAll(async () => {
  corpus = openCorpus(await realCorpus());
  sources = await realSources();
});
afterAll(() => corpus?.close());

const printedByModule = new Map<string, ReadonlyMap<string, string>>();

/**
 * Returns the verses of a module without markup, by place ("GEN 1:1"), in a map that the caller may
 * change. Runs the program mod2imp of SWORD once for each module.
 */
function readMod2imp(module: string): Map<string, string> {
  const printed =
    printedByModule.get(module) ??
    new Map(
      printEntries(module, sources.get(module) ?? '')
        .filter(({ verse }) => verse > 0)
        .map(({ book, chapter, verse, markup }) => [`${book} ${chapter}:${verse}`, plainText(markup)]),
    );
  printedByModule.set(module, printed);
  return new Map(printed);
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
/** Returns the words of a text, each reduced to its letters. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .split(/\s+/)
    .map(lettersOf)
    .filter((word) => word !== '');

const comparedTranslations = itemsOfThisRun(defaultTranslations, defaultTranslations.length);

describeWithMod2imp('importModule compared with mod2imp', () => {
  test.each(comparedTranslations)(
    'the verses of $identifier have the same letters as the output of the SWORD program mod2imp, except for listed verses',
    ({ identifier, module }) => {
      const printed = readMod2imp(module);
      const differing: string[] = [];
      for (const { book, chapter, verse, text } of corpus.eachVerse(identifier)) {
        const place = `${book} ${chapter}:${verse}`;
        const raw = printed.get(place) ?? '';
        printed.delete(place);
        const expected = repairs[`${module} ${place}`]?.(raw) ?? raw;
        if (lettersOf(text) !== lettersOf(expected)) differing.push(place);
      }
      const onlyOurs = module === 'engWEB2015eb' ? ['ROM 14:24', 'ROM 14:25', 'ROM 14:26'] : [];
      expect(differing.sort()).toEqual([...onlyOurs, ...(module === 'engKJV2006eb' ? versesWithMarkers : [])].sort());
      expect([...printed].filter(([, raw]) => raw !== '')).toEqual([]);
    },
    60_000,
  );

  test.each(comparedTranslations)(
    'the verses of $identifier keep every space that the SWORD program mod2imp prints',
    ({ identifier, module }) => {
      const printed = readMod2imp(module);
      let added = 0;
      const lost: string[] = [];
      for (const { book, chapter, verse, text } of corpus.eachVerse(identifier)) {
        const place = `${book} ${chapter}:${verse}`;
        const raw = printed.get(place) ?? '';
        const theirs = wordsOf(repairs[`${module} ${place}`]?.(raw) ?? raw);
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

  test('the SWORD program mod2imp leaves USFM markers such as \\nd in exactly the listed verses of the King James Version', () => {
    const printed = readMod2imp('engKJV2006eb');
    expect(
      [...printed]
        .filter(([, raw]) => raw.includes('\\'))
        .map(([place]) => place)
        .sort(),
    ).toEqual([...versesWithMarkers].sort());
  });
});
