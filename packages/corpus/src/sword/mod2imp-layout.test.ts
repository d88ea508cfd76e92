import { ordinalParts } from '@lectern/canon';
import { itemsOfThisRun } from '@lectern/testing';
import { buildLayout, type Layout, renderHtml, type VerseWithLayout } from '@lectern/verse-layout';
import { SaxesParser } from 'saxes';
import { describeWithMod2imp, printEntries } from '../../test-support/mod2imp';
import { realSources } from '../../test-support/real-corpus';
import { defaultTranslations } from '../default-translations';
import type { ModuleSources } from '../fetch/modules';
import { decodeEntities } from '../markup/tokens';
import type { DraftTranslation, DraftVerse } from '../translation';
import { importModule } from './translation';

// These tests compare the layout of every verse with the markup printed by mod2imp, a program of
// the SWORD project. Both the layout and the markup are converted to lists of tokens. The position
// of a token is the number of letters before it, because the two texts differ in spaces.

let sources: ModuleSources;
beforeAll(async () => {
  sources = await realSources();
});

const imported = new Map<string, DraftTranslation>();
/** Returns the verses of a module. Imports each module only once. */
function versesOf(module: string): readonly DraftVerse[] {
  const metadata = defaultTranslations.find((each) => each.module === module);
  if (!metadata) throw new Error(`${module} is not the module of a default translation`);
  const translation = imported.get(module) ?? importModule(sources.get(module) ?? '', metadata);
  imported.set(module, translation);
  return translation.verses;
}

const comparedTranslations = itemsOfThisRun(defaultTranslations, defaultTranslations.length);

const lettersOf = (text: string): string => text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** The tokens of one verse: "12 LINE 1" is a line with indent 1 that begins after 12 letters. */
type Tokens = string[];

const tokensOf = ({ text, layout }: DraftVerse): Tokens => {
  const at = (offset: number): number => lettersOf(text.slice(0, offset)).length;
  return [
    ...layout.breaks.map(({ kind, start, indent }) => `${at(start)} ${kind} ${indent}`),
    ...layout.headings.map(({ start, text: heading }) => `${at(start)} HEADING ${lettersOf(heading)}`),
    ...layout.notes.map(({ kind, start, text: note }) => `${at(start)} ${kind} ${lettersOf(note)}`),
    ...layout.marks
      .filter(({ start, length }) => lettersOf(text.slice(start, start + length)) !== '')
      .map(({ kind, start, length }) => `${at(start)} ${kind} ${at(start + length)}`),
  ].sort();
};

const withoutTags = (markup: string): string =>
  lettersOf(decodeEntities(markup.replace(/<[^>]*>/g, '').replace(/\\\+?[a-z]+\d?(?:\*|\s|$)/g, '')));

/** Returns the tokens of the verses that mod2imp prints, by place ("GEN 1:1"). */
function printedTokens(module: string): Map<string, Tokens> {
  const byPlace = new Map<string, Tokens>();
  let carried: string[] = [];
  let previous: { tokens: Tokens; letters: number } | null = null;
  for (const { book, chapter, verse, markup } of printEntries(module, sources.get(module) ?? '')) {
    if (chapter === 0) carried = [];
    // In the modules, the entry before Genesis begins with a preface, and the entry before Hosea
    // with an apocryphal book. The importer skips both, so they are cut off here too.
    const [, ownMarkup = markup] = /^.*(<div [^>]*sID=[^>]*type="book".*)$/s.exec(markup) ?? [];
    const { tokens, pending, letters } = readMarkup(chapter === 0 ? ownMarkup : markup, carried);
    carried = pending;
    if (letters === 0) {
      // The importer adds a note on a verse without text to the end of the verse before.
      if (verse > 0) for (const token of tokens) previous?.tokens.push(token.replace(/^0/, String(previous.letters)));
      continue;
    }
    if (verse === 0) continue;
    previous = { tokens, letters };
    byPlace.set(`${book} ${chapter}:${verse}`, tokens);
  }
  for (const tokens of byPlace.values()) tokens.sort();
  return byPlace;
}

/**
 * Reads the tokens of one entry. `carried` are tokens of the entry before that belong to this one.
 * `pending` are the tokens after the last letter, which belong to the next entry.
 */
function readMarkup(markup: string, carried: readonly string[]) {
  const tokens: Tokens = [];
  let pending = [...carried];
  let letters = 0;
  const open: { element: string; kind: string; start: number }[] = [];
  const patterns = /<note\b[^>]*>.*?<\/note>|<(title|speaker)\b[^>]*>.*?<\/\1>|<!--.*?-->|<[^>]*>|[^<]+/gs;
  for (const [part] of markup.matchAll(patterns)) {
    const tag = /^<(\/?)(\w+)/.exec(part);
    if (/^<div [^>]*eID=[^>]*type="book"|^<div [^>]*sID=[^>]*type="glossary"/.test(part)) break;
    if (part.startsWith('<note')) tokens.push(`${letters} ${noteToken(part)}`);
    else if (/^<(?:title|speaker)/.test(part)) {
      for (const [note] of part.matchAll(/<note\b.*?<\/note>/gs)) tokens.push(`${letters} ${noteToken(note)}`);
      if (!/type="main"/.test(part)) pending.push(`HEADING ${withoutTags(part.replace(/<note\b.*?<\/note>/gs, ''))}`);
    } else if (!tag) {
      const added = withoutTags(part).length;
      if (added > 0) {
        tokens.push(...pending.map((token) => `${letters} ${token}`));
        pending = [];
        letters += added;
      }
    } else if (tag[1] === '/') {
      const at = open.findLastIndex(({ element }) => element === tag[2]);
      for (const { kind, start } of at < 0 ? [] : open.splice(at))
        if (kind !== '' && letters > start) tokens.push(`${start} ${kind} ${letters}`);
    } else {
      const textBreak = breakToken(part);
      if (textBreak) pending.push(textBreak);
      if (!part.endsWith('/>')) open.push({ element: tag[2] ?? '', kind: markKind(part), start: letters });
    }
  }
  return { tokens, pending, letters };
}

const noteToken = (markup: string): string =>
  `${markup.includes('type="crossReference"') ? 'CROSS_REFERENCE' : 'TRANSLATION'} ${withoutTags(markup.replace(/<reference[^>]*type="annotateRef"[^>]*>.*?<\/reference>/gs, ''))}`;

function breakToken(tag: string): string | null {
  if (tag.includes('eID=')) return null;
  if (/^<div [^>]*type="x-p"/.test(tag)) return 'PARAGRAPH 0';
  if (/^<lg |^<lb [^>]*type="x-p"/.test(tag)) return 'STANZA 0';
  return tag.startsWith('<l ') ? `LINE ${Number(/level="(\d)"/.exec(tag)?.[1] ?? 1) - 1}` : null;
}

function markKind(tag: string): string {
  if (/^<q [^>]*who="Jesus"/.test(tag)) return 'WORDS_OF_JESUS';
  if (/^<transChange [^>]*type="added"/.test(tag)) return 'ADDED_WORDS';
  return tag.startsWith('<divineName') ? 'DIVINE_NAME' : '';
}

const placeOf = (ordinal: number): string => {
  const { book, chapter, verse } = ordinalParts(ordinal) ?? { book: '', chapter: 0, verse: 0 };
  return `${book} ${chapter}:${verse}`;
};

/** The verses whose text the module of WEB stores in its entry for ROM 14:23. */
const hiddenVerses = new Set(['ROM 14:23', 'ROM 14:24', 'ROM 14:25', 'ROM 14:26']);

describeWithMod2imp('the layout that importModule reads', () => {
  test.each(comparedTranslations)(
    'importModule reads the layout of $identifier as the SWORD program mod2imp does, except for known repairs',
    ({ module }) => {
      const printed = printedTokens(module);
      const differing = versesOf(module)
        .filter(({ ordinal }) => !(module === 'engWEB2015eb' && hiddenVerses.has(placeOf(ordinal))))
        .filter((verse) => tokensOf(verse).join('\n') !== (printed.get(placeOf(verse.ordinal)) ?? []).join('\n'))
        .map(({ ordinal }) => placeOf(ordinal));
      expect(differing).toEqual([]);
    },
  );
});

/** Counts the elements of the layout of a translation by kind. */
function countKinds(module: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { layout } of versesOf(module))
    for (const { kind } of Object.values(layout).flat()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const expectedCounts: Readonly<Record<string, Record<string, number>>> = {
  engKJV2006eb: {
    TRANSLATION: 6_959,
    PARAGRAPH: 4_635,
    LINE: 2_461,
    // 139 groups of lines and 209 empty lines.
    STANZA: 348,
    PSALM_TITLE: 116,
    ACROSTIC: 22,
    WORDS_OF_JESUS: 2_038,
    // The module marks 48 more added words in titles and notes.
    ADDED_WORDS: 21_462,
    // The module marks 47 more divine names in titles and notes.
    DIVINE_NAME: 6_859,
  },
  engWEB2015eb: {
    TRANSLATION: 1_122,
    CROSS_REFERENCE: 340,
    // The module has three more paragraphs outside of verses.
    PARAGRAPH: 8_295,
    LINE: 18_927,
    STANZA: 1_340,
    PSALM_TITLE: 116,
    ACROSTIC: 22,
    // The headings of the five books of Psalms, and 33 names of speakers in the Song of Solomon.
    SECTION: 38,
    WORDS_OF_JESUS: 2_289,
  },
  spaRV1909eb: { ADDED_WORDS: 3_501, PARAGRAPH: 1_189 },
};

test.each(comparedTranslations)(
  'importModule reads the expected number of each kind of break, mark, note and heading of $identifier',
  ({ module }) => {
    expect(countKinds(module)).toEqual(expectedCounts[module]);
  },
);

test('importModule divides the layout of a SWORD entry of four verses among them, as in Romans 14:23 of WEB', () => {
  const verses = versesOf('engWEB2015eb').filter(({ ordinal }) => hiddenVerses.has(placeOf(ordinal)));
  expect(verses.map(({ layout }) => [layout.breaks, layout.notes.map(({ text }) => text)])).toEqual([
    [[], []],
    [[{ kind: 'PARAGRAPH', indent: 0, start: 0 }], []],
    [[], []],
    [[], ['TR places verses 24-26 after Romans 16:24 as verses 25-27.']],
  ]);
});

/** Returns the text of the verses in a layout, without spaces. */
const textOf = ({ blocks }: Layout): string =>
  blocks
    .flatMap((block) => {
      if (block.kind === 'heading') return [];
      return block.kind === 'paragraph' ? block.content : block.lines.flatMap(({ content }) => content);
    })
    .map((inline) => (inline.kind === 'text' ? inline.text : ''))
    .join('')
    .replaceAll(' ', '');

test.each(comparedTranslations)(
  'buildLayout keeps every word, note and heading of each chapter of $identifier in order',
  ({ module }) => {
    const chapters = new Map<string, VerseWithLayout[]>();
    for (const { ordinal, text, layout } of versesOf(module)) {
      const { chapter, verse, book } = ordinalParts(ordinal) ?? { book: 'GEN', chapter: 0, verse: 0 };
      const verses = chapters.get(`${book} ${chapter}`) ?? [];
      chapters.set(`${book} ${chapter}`, verses);
      verses.push({ chapter, verse, text, ...layout });
    }
    expect(chapters.size).toBe(1_189);
    for (const verses of chapters.values()) {
      const layout = buildLayout(verses);
      expect(textOf(layout)).toBe(verses.map(({ text }) => text.replaceAll(' ', '')).join(''));
      expect(layout.notes.map(({ text }) => text)).toEqual(
        verses.flatMap(({ notes }) => [...notes].sort((a, b) => a.start - b.start).map(({ text }) => text)),
      );
      expect(layout.blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []))).toEqual(
        verses.flatMap(({ headings }) => headings.map(({ text }) => text)),
      );
      // The parser throws an error if an element is not closed, or if two elements overlap.
      new SaxesParser().write(`<main>${renderHtml(layout)}</main>`).close();
    }
  },
);
