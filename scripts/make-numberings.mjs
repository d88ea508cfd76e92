/**
 * Writes packages/canon/numberings from the sources of these facts:
 *
 *     node scripts/make-numberings.mjs BIBLEDIT FILE
 *
 * BIBLEDIT is the data folder of Debian's bibledit-data, with `mapping`, `versification` and the Open
 * Scriptures Hebrew Bible in `sources/morphhb`. FILE is what scripts/print-versifications.cpp prints.
 * standard.tsv, web.tsv, rv1909.tsv and other-places.tsv are written by hand. Prints where the sources
 * disagree; packages/canon/numberings/disagreements.tsv lists these places with the decision.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [bibledit = '', versifications = ''] = process.argv.slice(2);
const sword = readFileSync(versifications, 'utf8').split('\n');
const folder = join(import.meta.dirname, '../packages/canon/numberings');

/** The code, the OSIS name and the English name of each book. */
const bookNames = (
  'GEN Gen Genesis|EXO Exod Exodus|LEV Lev Leviticus|NUM Num Numbers|DEU Deut Deuteronomy|JOS Josh Joshua|JDG Judg Judges|' +
  'RUT Ruth Ruth|1SA 1Sam 1 Samuel|2SA 2Sam 2 Samuel|1KI 1Kgs 1 Kings|2KI 2Kgs 2 Kings|1CH 1Chr 1 Chronicles|' +
  '2CH 2Chr 2 Chronicles|EZR Ezra Ezra|NEH Neh Nehemiah|EST Esth Esther|JOB Job Job|PSA Ps Psalms|PRO Prov Proverbs|' +
  'ECC Eccl Ecclesiastes|SNG Song Song of Solomon|ISA Isa Isaiah|JER Jer Jeremiah|LAM Lam Lamentations|EZK Ezek Ezekiel|' +
  'DAN Dan Daniel|HOS Hos Hosea|JOL Joel Joel|AMO Amos Amos|OBA Obad Obadiah|JON Jonah Jonah|MIC Mic Micah|NAM Nah Nahum|' +
  'HAB Hab Habakkuk|ZEP Zeph Zephaniah|HAG Hag Haggai|ZEC Zech Zechariah|MAL Mal Malachi|MAT Matt Matthew|MRK Mark Mark|' +
  'LUK Luke Luke|JHN John John|ACT Acts Acts|ROM Rom Romans|1CO 1Cor 1 Corinthians|2CO 2Cor 2 Corinthians|GAL Gal Galatians|' +
  'EPH Eph Ephesians|PHP Phil Philippians|COL Col Colossians|1TH 1Thess 1 Thessalonians|2TH 2Thess 2 Thessalonians|' +
  '1TI 1Tim 1 Timothy|2TI 2Tim 2 Timothy|TIT Titus Titus|PHM Phlm Philemon|HEB Heb Hebrews|JAS Jas James|1PE 1Pet 1 Peter|' +
  '2PE 2Pet 2 Peter|1JN 1John 1 John|2JN 2John 2 John|3JN 3John 3 John|JUD Jude Jude|REV Rev Revelation|' +
  'TOB Tob Tobit|JDT Jdt Judith|ESG EsthGr Greek Esther|WIS Wis Wisdom|SIR Sir Sirach|BAR Bar Baruch|LJE EpJer Letter of Jeremiah|' +
  'DAG AddDan Greek Daniel|S3Y PrAzar Prayer of Azariah|SUS Sus Susanna|BEL Bel Bel and the Dragon|1MA 1Macc 1 Maccabees|' +
  '2MA 2Macc 2 Maccabees|3MA 3Macc 3 Maccabees|4MA 4Macc 4 Maccabees|1ES 1Esd 1 Esdras|2ES 2Esd 2 Esdras|MAN PrMan Prayer of Manasseh|' +
  'PS2 AddPs Psalm 151'
)
  .split('|')
  .map((line) => /^(\S+) (\S+) (.+)$/.exec(line)?.slice(1) ?? []);
const codes = bookNames.map(([code]) => code);
const isDeuterocanonical = (place) => codes.indexOf(place.slice(0, 3)) >= 66;
const codeOfName = new Map(
  bookNames.flatMap(([code, osis, name]) => [/** @type {const} */ ([osis, code]), [name, code]]),
);

/**
 * The chapter ends of each book, and the standard verses in each slot (`PSA 51:3`): `PSA 51:1`, or
 * `PSA 51:1~` if they are parts. The verse 0 is the title of a Psalm. None for an addition.
 * @typedef {{ ends: Map<string, number[]>, verses: Map<string, string[]> }} Numbering
 */

const text = (...path) => readFileSync(join(...path), 'utf8');
const standardEnds = new Map(
  Array.from(text(folder, 'standard.tsv').matchAll(/^(\w{3})\t(.*)$/gm), ([, book = '', ends = '']) => [
    book,
    ends.split(' ').map(Number),
  ]),
);
const standard = new Set(slotsOf(standardEnds));
const hebrew = readHebrew(join(bibledit, 'sources/morphhb'));
const original = addGreek(hebrew);

const kjv = { ends: standardEnds, verses: new Map() };
const divided = {
  ends: new Map([...standardEnds, ...pick(original.ends, ['3JN', 'REV']), ...deuterocanonicalEnds('NRSVA')]),
  verses: new Map(pick(original.verses, ['3JN 1:15', 'REV 12:18'])),
};
const nrsv = {
  ends: new Map([...divided.ends, ...pick(original.ends, ['2CO'])]),
  verses: new Map([...divided.verses, ...pick(original.verses, ['2CO 13:12', '2CO 13:13'])]),
};
const decisions = readDecisions();
const vulgate = decide('vulgate', readSword('Vulg'), readBibledit('Vulgate'));
const synodal = decide('synodal', readSword('Synodal'), readBibledit('Russian_Orthodox'));
const protestant = withoutAdditions(synodal, readBibledit('Russian_Protestant'));
const dutch = decide('dutch', readBibledit('Dutch_Traditional'), readBibledit('Dutch_Traditional'));
const luther = decide('luther', readLuther(), kjv);
// bibledit's pairs of Segond contradict themselves, so SWORD alone counts.
const segond = decide('segond', readSword('Segond'), kjv);
const septuagint = readSeptuagint();
compare('hebrew', hebrew, readBibledit('English', true));

write('hebrew', 'The Hebrew Bible: the Leningrad Codex and the printed Hebrew Bibles.', hebrew);
write('original', 'The Hebrew Old and the Greek New Testament, which Paratext calls Original.', original);
write(
  'divided',
  "The King James Version's numbers with 3JN 14 and REV 13:1 divided, as in many newer New Testaments.",
  divided,
);
write(
  'nrsv',
  'The New Revised Standard Version and others that divide 3JN 14 and REV 13:1, and join 2CO 13:12-13.',
  nrsv,
);
write('vulgate', 'The Latin Vulgate, and translations made from it.', vulgate);
write('synodal', 'The Russian Synodal Bible, with the additions of the Septuagint.', synodal);
write('synodal-protestant', 'The Russian Synodal Bible as Protestants print it.', protestant);
write('luther', "Luther's Bible and other German ones.", luther);
write('segond', 'The French Bible of Louis Segond.', segond);
write(
  'septuagint',
  'The Septuagint of Rahlfs, as far as its verses have an order of their own that is known.',
  septuagint,
);
write('dutch', 'The Dutch Statenvertaling.', dutch);

function slotsOf(ends) {
  return [...ends].flatMap(([book, chapters]) =>
    chapters.flatMap((end, index) => Array.from({ length: end }, (_, verse) => `${book} ${index + 1}:${verse + 1}`)),
  );
}

/** The deuterocanonical books of a numbering of SWORD. */
function deuterocanonicalEnds(name) {
  return [...readSword(name).ends].filter(([book]) => isDeuterocanonical(book));
}

function pick(map, keys) {
  return keys.map((key) => [key, map.get(key)]);
}

/** @returns {Numbering} */
function readHebrew(morphhb) {
  /** @type {Map<string, string[]>} */
  const verses = new Map();
  const listed = /<verse wlc="(\w+)\.(\d+)\.(\d+)(!.)?" kjv="(\w+)\.(\d+)\.(\d+)(?:!.)?" type="(\w+)"/g;
  for (const [, osis, chapter, verse, part, , toChapter, toVerse, type] of text(morphhb, 'VerseMap.xml').matchAll(
    listed,
  )) {
    const book = codeOfName.get(osis);
    const slot = `${book} ${chapter}:${verse}`;
    const found = verses.get(slot) ?? [];
    // Only a part is listed, if not all parts are: the rest has the number of the verse.
    if (part && found.length === 0 && !text(morphhb, 'VerseMap.xml').includes(`kjv="${osis}.${chapter}.${verse}"`))
      found.push(`${slot}~`);
    const own = `${book} ${toChapter}:${toVerse}`;
    // The verse of the same number comes first.
    found.splice(own === slot ? 0 : found.length, 0, `${own}${type === 'partial' ? '~' : ''}`);
    verses.set(slot, found);
  }
  const ends = new Map(standardEnds);
  for (const name of readdirSync(morphhb).filter((each) => codeOfName.has(each.replace('.xml', '')))) {
    const chapters = [];
    for (const [, chapter, verse] of text(morphhb, name).matchAll(/<verse osisID="\w+\.(\d+)\.(\d+)"/g))
      chapters[Number(chapter) - 1] = Math.max(chapters[Number(chapter) - 1] ?? 0, Number(verse));
    ends.set(codeOfName.get(name.replace('.xml', '')) ?? '', chapters);
  }
  return separateTitles({ ends, verses });
}

/** Of several slots with the first verse of a Psalm, the last one has the verse, the others have its title. */
function separateTitles({ ends, verses }) {
  const containing = new Map();
  for (const slot of slotsOf(new Map(pick(ends, ['PSA']))))
    for (const verse of verses.get(slot) ?? [slot])
      if (verse.endsWith(':1')) containing.set(verse, [...(containing.get(verse) ?? []), slot]);
  for (const [verse, slots] of containing)
    for (const slot of slots.slice(0, -1)) verses.set(slot, [verse.replace(/1$/, '0')]);
  return { ends, verses };
}

/** The numbering of the Hebrew Old and the Greek New Testament, with which bibledit compares. */
function addGreek({ ends, verses }) {
  const greek = new Map([
    ['ACT 19:40', ['ACT 19:40', 'ACT 19:41']],
    ['2CO 13:12', ['2CO 13:12', '2CO 13:13']],
    ['2CO 13:13', ['2CO 13:14']],
    ['3JN 1:15', ['3JN 1:14']],
    ['REV 12:18', ['REV 13:1']],
  ]);
  const own = new Map(ends);
  for (const [book, chapter, end] of /** @type {const} */ ([
    ['ACT', 19, 40],
    ['2CO', 13, 13],
    ['3JN', 1, 15],
    ['REV', 12, 18],
  ]))
    own.set(
      book,
      (own.get(book) ?? []).map((last, index) => (index === chapter - 1 ? end : last)),
    );
  return { ends: own, verses: new Map([...verses, ...greek]) };
}

/** The chapter ends of the file of that name in `versification`, and the pairs in `mapping`. */
function readBibledit(name, isReversed = false) {
  const parse = (place) => {
    const [, book = '', chapterAndVerse = ''] = /^(.*) (\S+)$/.exec(place.trim()) ?? [];
    return codeOfName.has(book) ? `${codeOfName.get(book)} ${chapterAndVerse}` : '';
  };
  const ends = new Map();
  if (isReversed) for (const [book, chapters] of original.ends) ends.set(book, chapters);
  else
    for (const line of text(bibledit, 'versification', `${name}.txt`).trim().split('\n')) {
      const [book = '', chapter, verse] = parse(line).split(/[ :]/);
      if (!codeOfName.has(line.replace(/ \S+$/, ''))) continue;
      ends.set(book, ends.get(book) ?? []);
      ends.get(book)[Number(chapter) - 1] = Number(verse);
    }
  const pairs = new Map();
  for (const line of text(bibledit, 'mapping', `${name}.txt`).trim().split('\n')) {
    const [slot = '', of = ''] = line.split(' = ').map(parse);
    if (isReversed) pairs.set(of, [...(pairs.get(of) ?? []), slot]);
    else pairs.set(slot, [...(pairs.get(slot) ?? []), ...(original.verses.get(of) ?? [of])]);
  }
  const originalSlots = new Set(slotsOf(original.ends));
  const verses = new Map();
  for (const slot of slotsOf(ends)) {
    const found = isReversed
      ? (pairs.get(slot) ?? original.verses.get(slot) ?? [slot])
      : (pairs.get(slot) ?? (originalSlots.has(slot) ? (original.verses.get(slot) ?? [slot]) : []));
    verses.set(slot, [...new Set(found)]);
  }
  return { ends, verses };
}

/**
 * Reads a numbering of SWORD. A verse that the KJV has in a book of its own, or not at all, is an addition:
 * other-places.tsv has the books of their own. Of deuterocanonical books, only the pairs with other numbers are read.
 */
function readSword(name) {
  const parse = (place) => {
    const [osis = '', chapterAndVerse] = place.split(' ');
    return codeOfName.has(osis) ? `${codeOfName.get(osis)} ${chapterAndVerse}` : '';
  };
  const ends = new Map();
  const verses = new Map();
  for (const line of sword.filter((each) => each.startsWith(`${name}\t`))) {
    const [slot = '', first = ''] = line.split('\t').slice(1, 3).map(parse);
    const [book, chapter, verse] = slot.split(/[ :]/);
    if (slot === '') continue;
    ends.set(book, ends.get(book) ?? []);
    ends.get(book)[Number(chapter) - 1] = Number(verse);
    const [, start] = first.split(':');
    const count = Math.max(Number(line.split('\t')[3]) - Number(start), 0) + 1;
    const found = Array.from({ length: count }, (_, index) =>
      first.replace(/(?<!\d)\d+$/, `${Number(start) + index}`),
    ).filter((each) => each.startsWith(book ?? '') && (standard.has(each) || each.endsWith(':0')));
    if (isDeuterocanonical(slot) && (found.length === 0 || `${found}` === slot)) continue;
    // A title and the first verse in one slot are the verse.
    verses.set(slot, found.length > 1 ? found.filter((each) => !each.endsWith(':0')) : found);
  }
  return separateTitles({ ends, verses });
}

/** What disagreements.tsv says of each slot of a numbering: a source, or verses. */
function readDecisions() {
  const found = new Map();
  for (const line of text(folder, 'disagreements.tsv').trimEnd().split('\n')) {
    const [name = '', range = '', choice = ''] = line.split('\t');
    if (name.startsWith('#')) continue;
    const [, book, chapter, first, last = first] = /^(\w{3}) (\d+):(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    for (let verse = Number(first); verse <= Number(last); verse += 1) {
      const own = verse - Number(first);
      const verses = choice
        .split(' ')
        .map(
          (each) => `${book} ${own === 0 ? each : each.replace(/(?<!\d)\d+$/, (start) => `${Number(start) + own}`)}`,
        );
      const isSource = /^[A-Za-z]/.test(choice);
      found.set(`${name} ${book} ${chapter}:${verse}`, isSource ? choice : choice === '-' ? [] : verses);
    }
  }
  return found;
}

/** Applies the decisions to the first source, and prints the differences without one. */
function decide(name, first, second) {
  const verses = new Map(first.verses);
  for (const [key, choice] of decisions) {
    const slot = key.slice(name.length + 1);
    if (key !== `${name} ${slot}`) continue;
    if (choice === 'bibledit') verses.set(slot, second.verses.get(slot) ?? [slot]);
    else if (typeof choice !== 'string') verses.set(slot, choice);
  }
  if (second !== kjv) compare(name, first, second);
  return { ends: first.ends, verses };
}

/** The same numbering without the additions in the 66 books, with the chapter ends of `short`. */
function withoutAdditions({ verses }, { ends, verses: shortVerses }) {
  const isShorter = (slot) => /^(DAN [34]|PRO 13|PRO 18):/.test(slot);
  const kept = slotsOf(ends).map(
    (slot) => /** @type {const} */ ([slot, (isShorter(slot) ? shortVerses.get(slot) : verses.get(slot)) ?? [slot]]),
  );
  return { ends, verses: new Map(kept) };
}

/** Each chapter ends as in the Hebrew and Greek Bible or as in the KJV. */
function readLuther() {
  const { ends } = readSword('Luther');
  const verses = new Map();
  for (const slot of slotsOf(ends)) {
    const [book = '', chapter] = slot.split(/[ :]/);
    const endIn = (of) => of.get(book)?.[Number(chapter) - 1];
    const isOriginal = endIn(ends) === endIn(original.ends);
    verses.set(slot, isOriginal ? (original.verses.get(slot) ?? [slot]) : [slot]);
  }
  return { ends, verses };
}

/**
 * bibledit has the chapter ends of the Septuagint, and no pairs. Its Psalms are those of the
 * Vulgate or have the number of the Hebrew less one, and its other chapters those of the Hebrew,
 * except for the ones in septuagint-order.tsv.
 */
function readSeptuagint() {
  // Without Ezra and Nehemiah, which are one book.
  const ends = new Map([...original.ends, ...readBibledit('Septuagint').ends, ...deuterocanonicalEnds('LXX')]);
  const moved = new Map();
  for (const line of text(folder, 'septuagint-order.tsv').trimEnd().split('\n')) {
    const [, book, chapter, first, last = first, target] = /^(\w{3}) (\d+):(\d+)(?:-(\d+))?\t(\S+)/.exec(line) ?? [];
    for (let verse = Number(first); verse <= Number(last); verse += 1) {
      const [toChapter, start] = (target ?? '').split(':');
      moved.set(
        `${book} ${chapter}:${verse}`,
        start && `${book} ${toChapter}:${Number(start) + verse - Number(first)}`,
      );
    }
  }
  const endIn = (of, book, chapter) => of.get(book)?.[chapter - 1];
  const verses = new Map();
  for (const slot of slotsOf(ends)) {
    const [book = '', chapter = '', verse] = slot.split(/[ :]/);
    const own = endIn(ends, book, Number(chapter));
    const inOriginal = (place) => (place ? (original.verses.get(place) ?? [place]) : []);
    if (moved.has(slot)) verses.set(slot, inOriginal(moved.get(slot)));
    else if (book === 'PSA' && own === endIn(vulgate.ends, book, Number(chapter)))
      verses.set(slot, vulgate.verses.get(slot) ?? [slot]);
    else if (book === 'PSA' && Number(chapter) > 9)
      verses.set(slot, inOriginal(Number(chapter) > 150 ? '' : `PSA ${Number(chapter) + 1}:${verse}`));
    else {
      const isStandard =
        own !== endIn(original.ends, book, Number(chapter)) && own === endIn(standardEnds, book, Number(chapter));
      verses.set(slot, isStandard ? [slot] : inOriginal(slot));
    }
  }
  return { ends, verses };
}

/** Prints the slots of which two sources say different things, unless it is decided what counts. */
function compare(name, first, second) {
  const slots = [first, second].map(({ ends }) => new Set(slotsOf(ends)));
  for (const slot of new Set([...slots[0], ...slots[1]])) {
    const [a, b] = [first, second].map(({ verses }, index) =>
      slots[index]?.has(slot) ? (verses.get(slot) ?? [slot]).join(', ').replaceAll('~', '') : 'no such verse',
    );
    const isNew = name === 'hebrew' && codes.indexOf(slot.slice(0, 3)) >= 39;
    if (a !== b && !isNew && !isDeuterocanonical(slot) && !decisions.has(`${name} ${slot}`))
      console.log([name, slot, a, b].join('\t'));
  }
}

/** Joins consecutive slots of a chapter that contain one standard verse each, also consecutive. */
function write(name, title, { ends, verses }) {
  const lines = [`# ${title}`];
  for (const book of codes) {
    const chapters = ends.get(book ?? '') ?? [];
    if (chapters.length > 0 && `${chapters}` !== `${standardEnds.get(book ?? '')}`)
      lines.push(`${book}\t${chapters.join(' ')}`);
  }
  /** @type {{ slot: string, length: number, verse: string } | null} */
  let run = null;
  const flush = () => {
    if (!run) return;
    const [place = '', start] = run.slot.split(/:/);
    const last = run.length > 1 ? `-${Number(start) + run.length - 1}` : '';
    lines.push(`${place}:${start}${last}\t${run.verse.replace(/^\w+ /, '')}`);
    run = null;
  };
  const next = (place, distance) => place.replace(/(?<!\d)\d+$/, (verse) => `${Number(verse) + distance}`);
  for (const slot of codes.flatMap((book) => slotsOf(new Map([[book ?? '', ends.get(book ?? '') ?? []]])))) {
    const found = verses.get(slot) ?? [slot];
    if (`${found}` === slot) {
      flush();
      continue;
    }
    for (const verse of found.length === 0 ? ['-'] : found) {
      const continues =
        run &&
        found.length <= 1 &&
        next(run.slot, run.length) === slot &&
        (run.verse === verse
          ? verse === '-' || verse.endsWith(':0')
          : /[1-9]$|[1-9]0+$/.test(run.verse) && next(run.verse, run.length) === verse);
      if (continues && run) run.length += 1;
      else {
        flush();
        run = { slot, length: 1, verse };
      }
      if (found.length > 1) flush();
    }
  }
  flush();
  writeFileSync(join(folder, `${name}.tsv`), `${lines.join('\n')}\n`);
}
