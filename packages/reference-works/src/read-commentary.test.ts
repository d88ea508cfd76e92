import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ordinalParts } from '@lectern/canon';
import { decodeEntities } from '@lectern/corpus';
import { itemsOfThisRun, withFolder } from '@lectern/testing';
import { describeWithMod2imp, printEntries } from '../../corpus/test-support/mod2imp';
import { type ModuleParts, writeModule } from '../../corpus/test-support/write-module';
import { confOf, describeWithWorks } from '../test-support/installed-modules';
import { type CommentaryNote, readCommentary } from './read-commentary';
import { createVersesAndParser } from './references';
import { commentaryWorks } from './works';

const versesAndParser = createVersesAndParser();
const workOf = (id: string) => {
  const work = commentaryWorks.find((each) => each.id === id);
  if (!work) throw new Error(`there is no commentary ${id}`);
  return work;
};

/**
 * Writes a module with the entries of `parts`, and reads it by the rules of the commentary `id`.
 */
const readSmall = (id: string, parts: Omit<ModuleParts, 'name'>) =>
  withFolder((folder) =>
    readCommentary(writeModule(folder, { driver: 'zCom', name: 'Small', ...parts }), workOf(id).rules, versesAndParser),
  );

const reference = (osisRef: string, text: string) => `<reference osisRef="${osisRef}">${text}</reference>`;

test.each(['zCom', 'zCom4', 'RawCom', 'RawCom4'] as const)(
  'readCommentary reads a SWORD module with the driver %s, and joins consecutive verses with the same text to one note',
  async (driver) => {
    const { notes } = await readSmall('henry', {
      driver,
      entries: { 'GEN 1:3': '<hi type="bold">Verses 3-5</hi> <div sID="g" type="x-p"/> Light.' },
      linked: { 'GEN 1:4': 'GEN 1:3', 'GEN 1:5': 'GEN 1:3' },
    });
    expect(notes).toEqual([
      { span: { first: 1001003, last: 1001005 }, scope: 'verses', heading: null, text: 'Light.', references: [] },
    ]);
  },
);

test('readCommentary reads index records of 10 bytes even if the .conf file names the driver for 12 bytes', async () => {
  const { notes } = await readSmall('henry', {
    driver: 'zCom4',
    hasShortRecords: true,
    entries: { 'REV 22:21': 'Amen.' },
  });
  expect(notes.map(({ text }) => text)).toEqual(['Amen.']);
});

test('readCommentary returns the plain text of a note, and the offset of each reference in this text', async () => {
  const text = `<hi type="bold">day</hi><div sID="a" type="x-p"/> The word, ${reference('ge 1:5 ge 1:14', ' Genesis\u00a01:5,14')}; <list> <item>(1) ${reference('joh 9:4', 'John 9:4')}.</item> </list>`;
  const { notes } = await readSmall('scofield', { entries: { 'GEN 1:5': text } });
  expect(notes).toEqual([
    {
      span: { first: 1001005, last: 1001005 },
      scope: 'verses',
      heading: 'day',
      text: 'The word, Genesis 1:5,14;\n(1) John 9:4.',
      references: [
        {
          start: 10,
          length: 14,
          spans: [
            { first: 1001005, last: 1001005 },
            { first: 1001014, last: 1001014 },
          ],
        },
        { start: 30, length: 8, spans: [{ first: 43009004, last: 43009004 }] },
      ],
    },
  ]);
});

test('readCommentary divides an entry at its bold headings, and joins a heading without text to the next heading', async () => {
  const { notes } = await readSmall('scofield', {
    entries: {
      'GEN 2:4':
        '<hi type="bold">Lord</hi> <div sID="a" type="x-p"/><hi type="bold">Lord God</hi> <div sID="b" type="x-p"/>A name. <div sID="c" type="x-p"/><hi type="bold">made</hi> Formed.',
    },
  });
  expect(notes.map(({ heading, text }) => [heading, text])).toEqual([
    ['Lord; Lord God', 'A name.'],
    ['made', 'Formed.'],
  ]);
});

test("readCommentary assigns Matthew Henry's chapter outline to the chapter, and his introduction to the book", async () => {
  const { notes } = await readSmall('henry', {
    entries: {
      'RUT 1:1':
        '<title>Ruth</title> <div sID="a" type="x-p"/> A story. <title>Chapter 1</title> <title>Chapter Outline</title> <table> <row><cell>Famine.</cell><cell>(1-5)</cell></row> </table> <hi type="bold">Verses 1-5</hi> <div sID="b" type="x-p"/> Moab.',
    },
  });
  expect(notes.map(({ scope, span, heading, text }) => [scope, span.last, heading, text])).toEqual([
    ['book', 8004022, 'Ruth', 'A story.'],
    ['chapter', 8001022, 'Chapter outline', 'Famine. (1-5)'],
    ['verses', 8001005, null, 'Moab.'],
  ]);
});

test("readCommentary divides Spurgeon's entry for a psalm into notes at titles and verse headings", async () => {
  const { notes } = await readSmall('spurgeon', {
    entries: {
      'PSA 1:1':
        '<title>Psalm 1 OVERVIEW</title> <div sID="a" type="x-p"/> Short. <title>EXPOSITION</title> <div sID="b" type="x-p"/> <hi type="bold">Verse 1.</hi> Blessed. <div sID="c" type="x-p"/> More. <div sID="d" type="x-p"/> <hi type="bold">Ver. 2.</hi> His delight.',
    },
  });
  expect(notes.map(({ scope, span, heading, text }) => [scope, span, heading, text])).toEqual([
    ['chapter', { first: 19001001, last: 19001006 }, 'Overview', 'Short.'],
    ['verses', { first: 19001001, last: 19001001 }, 'Exposition', 'Blessed.\nMore.'],
    ['verses', { first: 19001002, last: 19001002 }, 'Exposition', 'His delight.'],
  ]);
});

test('readCommentary throws an error for a SWORD module with a truncated data file', async () => {
  await withFolder((folder) => {
    const conf = writeModule(folder, { driver: 'zCom', name: 'Small', entries: { 'GEN 1:1': 'x'.repeat(200) } });
    const file = join(folder, 'modules', 'texts', 'Small', 'ot.bzz');
    writeFileSync(file, readFileSync(file).subarray(0, 5));
    expect(() => readCommentary(conf, workOf('henry').rules, versesAndParser)).toThrow(/cut off|damaged/);
  });
});

// mod2imp takes up to 9 s for a commentary, so `npm test` compares one, and `npm run test:long` all.
const comparedWorks = itemsOfThisRun(['spurgeon', 'scofield', 'henry'], 3);

describeWithWorks.each([
  ['henry', 5_161, 1_204],
  ['scofield', 3_733, 9_576],
  ['spurgeon', 13_345, 7_104],
])('the commentary %s', (id, noteCount, referenceCount) => {
  const { module, rules } = workOf(id);
  const { notes, unresolved } = readCommentary(confOf(module), rules, versesAndParser);

  test(`readCommentary reads ${noteCount} notes of ${id}, and 99 % of the ${referenceCount} references name existing verses`, () => {
    expect(notes).toHaveLength(noteCount);
    const resolved = notes.reduce((sum, { references }) => sum + references.length, 0);
    expect(resolved + unresolved.length).toBe(referenceCount);
    expect(unresolved.length / referenceCount).toBeLessThan(0.01);
  });

  test(`readCommentary returns the notes of ${id} without markup or needless spaces`, () => {
    const bad = notes.filter(
      ({ text, references }) =>
        /<\/?\w+[^>]*>|&\w+;|\s$|^\s|[^\S\n]{2}/.test(text) ||
        references.some(({ start, length }) => {
          const written = text.slice(start, start + length);
          return written === '' || written !== written.trim();
        }),
    );
    expect(bad.map(({ text }) => text.slice(0, 100))).toEqual([]);
  });

  if (!comparedWorks.includes(id)) return;
  describeWithMod2imp('compared with mod2imp', () => {
    test(`readCommentary returns every paragraph of ${id} that the SWORD program mod2imp prints`, async () => {
      await withFolder((folder) => {
        const missing = printEntries(module, withRealDriver(module, folder)).flatMap(({ markup, ...place }) => {
          const own = new Set(linesOfChapter(notes, place));
          return paragraphsOf(markup).filter(
            (paragraph) => !own.has(paragraph) && !/^Read first chapter of [\w ]+$/.test(paragraph),
          );
        });
        expect(missing.map((paragraph) => paragraph.slice(0, 100))).toEqual([]);
      });
    });
  });
});

/**
 * Returns a .conf file with which mod2imp can read a module. The .conf file of Matthew Henry's
 * module names a driver for wider records than the module has. So this function copies that module
 * and names the right driver in the copy.
 */
function withRealDriver(module: string, folder: string): string {
  const conf = confOf(module);
  if (module !== 'MHCC') return conf;
  cpSync(join(dirname(conf), '..', 'modules'), join(folder, 'modules'), { recursive: true });
  mkdirSync(join(folder, 'mods.d'));
  const copy = join(folder, 'mods.d', 'mhcc.conf');
  writeFileSync(copy, readFileSync(conf, 'utf8').replace('ModDrv=zCom4', 'ModDrv=zCom'));
  return copy;
}

/**
 * Returns the paragraphs of markup that mod2imp printed, without titles and without bold words at
 * their start.
 */
const paragraphsOf = (markup: string): string[] =>
  markup
    .replace(/<title[^>]*>.*?<\/title>/gs, '<div/>')
    .split(/<\/?(?:chapter|div|item|l|lb|lg|list|milestone|p|row|table)\b[^>]*>/)
    .map((block) => block.replace(/^\s*<hi type="bold">.*?<\/hi>(?:\s*[:;,.]\s)?/s, ''))
    .map((block) => decodeEntities(block.replace(/<cell>|<\/cell>/g, ' ').replace(/<[^>]*>/g, '')))
    // A few entries of scofield have a tag that is escaped by mistake, such as `&lt;/ol&gt;`.
    .map((block) =>
      block
        .replace(/<\/?\w+>/g, '')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .filter((block) => block !== '');

/** Returns the lines of all notes on verses of a chapter. Chapter 0 stands for the whole book. */
const linesOfChapter = (
  notes: readonly CommentaryNote[],
  { book, chapter }: { book: string; chapter: number },
): string[] =>
  notes
    .filter(({ span }) => {
      const [first, last] = [ordinalParts(span.first), ordinalParts(span.last)];
      return first?.book === book && chapter <= (last?.chapter ?? 0) && (chapter === 0 || first.chapter <= chapter);
    })
    .flatMap(({ text }) => text.split('\n'));
