/**
 * Writes packages/canon/numberings from the sources of these facts:
 *
 *     node scripts/make-numberings.mjs MORPHHB
 *
 * MORPHHB is the folder of the Open Scriptures Hebrew Bible, with VerseMap.xml and its books.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [morphhb = ''] = process.argv.slice(2);
const folder = join(import.meta.dirname, '../packages/canon/numberings');

const osisBooks = new Map(
  (
    'GEN Gen EXO Exod LEV Lev NUM Num DEU Deut JOS Josh JDG Judg RUT Ruth 1SA 1Sam 2SA 2Sam 1KI 1Kgs 2KI 2Kgs 1CH 1Chr 2CH 2Chr ' +
    'EZR Ezra NEH Neh EST Esth JOB Job PSA Ps PRO Prov ECC Eccl SNG Song ISA Isa JER Jer LAM Lam EZK Ezek DAN Dan HOS Hos JOL Joel ' +
    'AMO Amos OBA Obad JON Jonah MIC Mic NAM Nah HAB Hab ZEP Zeph HAG Hag ZEC Zech MAL Mal'
  )
    .match(/\w+ \w+/g)
    ?.map((pair) => /** @type {[string, string]} */ (pair.split(' ').reverse())),
);

/**
 * A slot of a numbering and a standard verse in it. The verse 0 is the title of a Psalm.
 * @typedef {{ book: string, slot: [number, number], verse: [number, number], isPartial?: boolean }} Pair
 */

const standardEnds = readEnds('standard');
writeNumbering('hebrew', 'The Hebrew Bible: the Leningrad Codex and the printed Hebrew Bibles.', hebrew(morphhb));

/** @returns {{ pairs: Pair[], ends: Map<string, number[]> }} */
function hebrew(from) {
  /** @type {Pair[]} */
  const pairs = [];
  /** The verses of which only parts are listed: the rest has the number of the verse. */
  const parts = new Map();
  const map = readFileSync(join(from, 'VerseMap.xml'), 'utf8');
  for (const [, own = '', kjv = '', type] of map.matchAll(/wlc="([^"]+)" kjv="([^"]+)" type="(\w+)"/g)) {
    const [, osis = '', chapter, verse, part] = /^(\w+)\.(\d+)\.(\d+)(!.)?$/.exec(own) ?? [];
    const [, , standardChapter, standardVerse] = /^(\w+)\.(\d+)\.(\d+)(!.)?$/.exec(kjv) ?? [];
    /** @type {Pair} */
    const pair = {
      book: osisBooks.get(osis) ?? '',
      slot: [Number(chapter), Number(verse)],
      verse: [Number(standardChapter), Number(standardVerse)],
      ...(type === 'partial' ? { isPartial: true } : {}),
    };
    pairs.push(pair);
    if (part) parts.set(own.replace(/!.*/, ''), [...(parts.get(own.replace(/!.*/, '')) ?? []), pair]);
  }
  for (const listed of parts.values()) {
    const [{ book, slot }] = listed;
    if (!listed.some(({ verse }) => `${verse}` === `${slot}`))
      pairs.splice(pairs.indexOf(listed[0]), 0, { book, slot, verse: slot, isPartial: true });
  }
  // The source does not tell the verses before the first verse of a Psalm, its title, from a verse.
  for (let psalm = 1; psalm <= 150; psalm += 1) {
    const first = pairs.filter(
      ({ book, verse: [chapter, verse], slot }) =>
        book === 'PSA' && chapter === psalm && verse === 1 && slot[0] === psalm && slot[1] > 1,
    );
    const last = Math.max(0, ...first.map(({ slot }) => slot[1]));
    const rest = pairs.filter((pair) => !first.includes(pair) || pair.slot[1] === last);
    pairs.splice(0, Number.POSITIVE_INFINITY, ...rest);
    for (let title = 1; title < last; title += 1) pairs.push({ book: 'PSA', slot: [psalm, title], verse: [psalm, 0] });
  }
  const ends = new Map();
  for (const name of readdirSync(from).filter((each) => osisBooks.has(each.replace('.xml', ''))))
    for (const [, osis = '', chapter, verse] of readFileSync(join(from, name), 'utf8').matchAll(
      /<verse osisID="(\w+)\.(\d+)\.(\d+)"/g,
    )) {
      const chapters = ends.get(osisBooks.get(osis)) ?? [];
      chapters[Number(chapter) - 1] = Math.max(chapters[Number(chapter) - 1] ?? 0, Number(verse));
      ends.set(osisBooks.get(osis), chapters);
    }
  return { pairs, ends };
}

/** Reads the chapter ends that a file of this folder lists. */
function readEnds(name) {
  const lines = readFileSync(join(folder, `${name}.tsv`), 'utf8').matchAll(/^(\w{3})\t(.*)$/gm);
  return new Map(Array.from(lines, ([, book = '', ends = '']) => [book, ends.split(' ').map(Number)]));
}

/** Joins consecutive slots of a chapter that contain one standard verse each, also consecutive. */
function writeNumbering(name, title, { pairs, ends }) {
  const position = new Map([...standardEnds.keys()].map((book, index) => [book, index]));
  const sorted = pairs
    .filter(({ book, slot, verse }, _, all) => {
      const same = all.filter((each) => each.book === book && `${each.slot}` === `${slot}`);
      return same.length > 1 || `${slot}` !== `${verse}`;
    })
    .sort(
      (a, b) =>
        (position.get(a.book) ?? 0) - (position.get(b.book) ?? 0) || a.slot[0] - b.slot[0] || a.slot[1] - b.slot[1],
    );
  const runs = [];
  for (const [index, pair] of sorted.entries()) {
    const { book, slot, verse, isPartial } = pair;
    const isAlone = (at) =>
      ![sorted[at - 1], sorted[at + 1]].some((each) => each?.book === book && `${each.slot}` === `${sorted[at].slot}`);
    const last = runs.at(-1);
    const length = last ? last.length : 0;
    const continues =
      last &&
      !isPartial &&
      !last.isPartial &&
      isAlone(index) &&
      isAlone(index - 1) &&
      last.book === book &&
      last.slot[0] === slot[0] &&
      last.slot[1] + length === slot[1] &&
      last.verse[0] === verse[0] &&
      verse[1] > 1 &&
      last.verse[1] + length === verse[1];
    if (continues) last.length += 1;
    else runs.push({ ...pair, length: 1 });
  }
  const lines = [
    `# ${title}`,
    ...[...ends]
      .filter(([book, chapters]) => `${chapters}` !== `${standardEnds.get(book)}`)
      .sort(([a], [b]) => (position.get(a) ?? 0) - (position.get(b) ?? 0))
      .map(([book, chapters]) => `${book}\t${chapters.join(' ')}`),
    ...runs.map(({ book, slot, verse, length, isPartial }) => {
      const last = length > 1 ? `-${slot[1] + length - 1}` : '';
      return `${book} ${slot[0]}:${slot[1]}${last}\t${verse[0]}:${verse[1]}${isPartial ? '~' : ''}`;
    }),
  ];
  writeFileSync(join(folder, `${name}.tsv`), `${lines.join('\n')}\n`);
}
