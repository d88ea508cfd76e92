import type { Heading, NoteKind, NoteLink, TextBreak, TextMarkKind, VerseLayout } from '@lectern/verse-layout';
import type { VerseText, WordTag } from '../translation';

/**
 * Markup between two pieces of text without a space, by ascending strength: the strongest decides if a space is added.
 * `none` separates no words. `quote` and `addition` are edges of speech and of added words. `cut` is a note or a
 * heading.
 */
const boundaries = ['none', 'quote', 'addition', 'cut'] as const;
type Boundary = (typeof boundaries)[number];

// Matches marks of word borders before the first letter. Elsewhere they stay: in Khmer and Lao they mark the words.
const leadingMarks = /^[\u00AD\u200B\u2060]+/;
// Matches control characters of texts in Windows-1252 that were taken for Latin-1, such as U+0092 for an apostrophe.
// Node 20 decodes windows-1252 in this way too.
// oxlint-disable-next-line no-control-regex
const windowsSign = /[\u0080-\u009F\uFEFF]/;
const windowsSigns = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
// Characters that are replaced by a space. The pilcrow marks a paragraph in modules of the KJV.
// oxlint-disable-next-line no-control-regex
const asSpace = /[¶\u0000-\u001F\u007F-\u009F\s]+/u;
const letter = /[\p{L}\p{M}\p{N}]/u;
const opening = /[“‘«„([{¿¡]/u;
const closing = /[,.;:!?…”’»)\]}]/u;

/** Replaces the control characters that stand for signs, and removes byte order marks. Most texts have none. */
const withoutWindowsSigns = (text: string): string =>
  windowsSign.test(text) ? Array.from(text, (sign) => (windowsSign.test(sign) ? signOf(sign) : sign)).join('') : text;
const signOf = (sign: string): string => (sign === '\uFEFF' ? '' : (windowsSigns[sign.charCodeAt(0) - 0x80] ?? ' '));

/** The maximum length of a word that a tag after it covers. Of a longer word, the tag covers only the end. */
const maxWordLength = 100;

/** The breaks and headings before a word that is not read yet. It may be in the next verse. */
export interface PendingLayout {
  readonly breaks: readonly Omit<TextBreak, 'start'>[];
  readonly headings: readonly Omit<Heading, 'start'>[];
}

/** The key of an open mark: the element that opened it, or the id of the milestone. */
type MarkKey = object | string;

/**
 * Builds one verse. Inserts spaces that the source lacks: "God<note/>created" has the boundary `cut` and becomes "God
 * created". Breaks and headings get the offset of the next word. Marks that cover no word are left out.
 */
export function createVerseBuilder(
  carried: PendingLayout = { breaks: [], headings: [] },
  carriedMarks: Iterable<[MarkKey, { kind: TextMarkKind }]> = [],
  carriedNotes: VerseLayout['notes'] = [],
) {
  let out = '';
  /** The last character of `out`. Reading it from `out` itself would copy the whole text for each word. */
  let last = '';
  let space = false;
  let boundary: Boundary = 'none';
  const openTags: { strongs: readonly string[]; lemma: string; start: number }[] = [];
  const words: WordTag[] = [];
  let pending = { breaks: [...carried.breaks], headings: [...carried.headings] };
  const breaks: TextBreak[] = [];
  const headings: Heading[] = [];
  const notes: { kind: NoteKind; start: number; text: string; links?: readonly NoteLink[] }[] = carriedNotes.map(
    (note) => ({ ...note, start: 0 }),
  );
  /** The marks that cover at least one word so far. An outer mark comes before its inner marks. */
  const marks: { kind: TextMarkKind; start: number; length: number }[] = [];
  /** The open marks. `mark` is null until a word follows. */
  const openMarks = new Map<MarkKey, { kind: TextMarkKind; mark: (typeof marks)[number] | null }>();
  for (const [key, { kind }] of carriedMarks) openMarks.set(key, { kind, mark: null });

  /** Returns whether a word that starts with `next` needs a space before it. */
  const needsSpace = (next: string): boolean => {
    if (out === '') return false;
    // Drops the space around a left-out note ("strength <note/>, he"), and that between quotation marks ("‘Who?’ ”").
    if (space) return !(closing.test(next) && (boundary === 'cut' || (boundary === 'quote' && /[’”]/.test(last))));
    if (boundary === 'none' || opening.test(last) || !(letter.test(next) || opening.test(next))) return false;
    if (letter.test(last)) return boundary === 'cut' || boundary === 'addition';
    return closing.test(last);
  };

  const writeWord = (word: string): void => {
    if (needsSpace(word.slice(0, 1))) out += ' ';
    const start = out.length;
    for (const tag of openTags) if (tag.start < 0) tag.start = start;
    for (const each of pending.breaks) breaks.push({ ...each, start });
    for (const each of pending.headings) headings.push({ ...each, start });
    if (pending.breaks.length + pending.headings.length > 0) pending = { breaks: [], headings: [] };
    for (const each of openMarks.values()) {
      if (each.mark) continue;
      each.mark = { kind: each.kind, start, length: 0 };
      marks.push(each.mark);
    }
    out += word;
    last = word.slice(-1);
    space = false;
    boundary = 'none';
  };

  return {
    write(text: string): void {
      // French has a space before some signs. If it stands after a note, it does not belong to the note.
      if (boundary === 'cut' && /^ {0,3}[\u00A0\u202F]/.test(text)) boundary = 'none';
      const pieces = withoutWindowsSigns(text).normalize('NFC').split(asSpace);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) space = true;
        const word = last === '' ? piece.replace(leadingMarks, '') : piece;
        if (word !== '') writeWord(word);
      }
    },
    space(): void {
      space = true;
    },
    boundary(kind: Boundary): void {
      if (boundaries.indexOf(kind) > boundaries.indexOf(boundary)) boundary = kind;
    },
    /** Returns the word at the end of the text, which an added word may continue. Returns '' after a space. */
    lastWord: (): string => (space ? '' : (/(?<![\p{L}\p{M}])[\p{L}\p{M}]+$/u.exec(out)?.[0] ?? '')),
    openTag: (strongs: readonly string[], lemma: string): void => void openTags.push({ strongs, lemma, start: -1 }),
    closeTag(): void {
      const tag = openTags.pop();
      if (!tag || tag.start < 0 || (tag.strongs.length === 0 && tag.lemma === '')) return;
      const word = { start: tag.start, length: out.length - tag.start, strongs: tag.strongs };
      words.push(tag.lemma === '' ? word : { ...word, lemma: tag.lemma });
    },
    /** Tags the last word with these numbers. The tag does not cover the punctuation after the word. */
    tagWord(strongs: readonly string[]): void {
      // `slice` copies the whole text, so it is not called for each element without numbers.
      if (strongs.length === 0) return;
      const end = out.slice(-maxWordLength);
      const found = [...end.matchAll(/[\p{L}\p{M}\p{N}\u00AD\u2060’'-]+/gu)];
      const last = found.findLast(([each]) => /[\p{L}\p{N}]/u.test(each)) ?? found[0];
      if (!last) return;
      const [word] = last;
      const start = out.length - end.length + last.index;
      const earlier = words.at(-1)?.start === start ? words.pop()?.strongs : undefined;
      words.push({ start, length: word.length, strongs: [...new Set([...(earlier ?? []), ...strongs])] });
    },
    addBreak: (each: PendingLayout['breaks'][number]): void => void pending.breaks.push(each),
    addHeading: (each: PendingLayout['headings'][number]): void => void pending.headings.push(each),
    addNote: (kind: NoteKind, text: string, links: readonly NoteLink[]): void =>
      void notes.push({ kind, start: out.length, text, ...(links.length > 0 && { links }) }),
    openMark: (key: MarkKey, kind: TextMarkKind): void => void openMarks.set(key, { kind, mark: null }),
    closeMark(key: MarkKey): void {
      const mark = openMarks.get(key)?.mark;
      if (mark) mark.length = out.length - mark.start;
      openMarks.delete(key);
    },
    pending: (): PendingLayout => pending,
    /** Removes and returns the headings that no word follows: those of `kind`, or all if it is null. */
    takeHeadings(kind: Heading['kind'] | null): PendingLayout['headings'] {
      const taken = pending.headings.filter((each) => each.kind === (kind ?? each.kind));
      pending.headings = pending.headings.filter((each) => !taken.includes(each));
      return taken;
    },
    /** Ends the marks that milestones have opened. Returns whether there are any. */
    endMilestones(): boolean {
      const keys = [...openMarks.keys()].filter((key) => typeof key === 'string');
      for (const key of keys) openMarks.delete(key);
      return keys.length > 0;
    },
    /** Returns the verse. Later calls do not change the returned object. Must be called only once. */
    finish(): VerseText {
      for (const { mark } of openMarks.values()) if (mark) mark.length = out.length - mark.start;
      const verse = {
        text: out,
        words: [...words].sort((a, b) => a.start - b.start || b.length - a.length),
        layout: {
          breaks: [...breaks],
          marks: marks.filter(({ length }) => length > 0).map((mark) => ({ ...mark })),
          notes: notes.splice(0),
          headings: [...headings],
        },
      };
      const text = out.normalize('NFC');
      // If normalization joins a mark with the letter before it, the text becomes shorter and the offsets move.
      return text === out ? verse : move({ ...verse, text }, (offset) => out.slice(0, offset).normalize('NFC').length);
    },
    /** Creates the next verse's builder, with open marks and the notes added after `finish`, as on a psalm's title. */
    next: (): VerseBuilder => createVerseBuilder(pending, openMarks, notes),
  };
}
export interface VerseBuilder extends ReturnType<typeof createVerseBuilder> {}

/** Replaces each offset of a verse by `moved(offset)`, which must keep the order of the offsets. */
function move({ text, words, layout }: VerseText, moved: (offset: number) => number): VerseText {
  const moveAll = <Item extends { readonly start: number; readonly length?: number }>(items: readonly Item[]): Item[] =>
    items.map((item) => {
      const start = moved(item.start);
      return item.length === undefined
        ? { ...item, start }
        : { ...item, start, length: moved(item.start + item.length) - start };
    });
  return {
    text,
    words: moveAll(words),
    layout: {
      breaks: moveAll(layout.breaks),
      marks: moveAll(layout.marks),
      notes: moveAll(layout.notes),
      headings: moveAll(layout.headings),
    },
  };
}

/** Adds notes of a verse without text, and headings that no verse of the chapter or book follows, at the end. */
export function addAtEnd(
  verse: { text: string; layout: VerseLayout } | undefined,
  { notes = [], headings = [] }: Partial<PendingLayout & Pick<VerseLayout, 'notes'>>,
): void {
  if (!verse || notes.length + headings.length === 0) return;
  const start = verse.text.length;
  verse.layout = {
    ...verse.layout,
    notes: [...verse.layout.notes, ...notes.map((note) => ({ ...note, start }))],
    headings: [...verse.layout.headings, ...headings.map((heading) => ({ ...heading, start }))],
  };
}

/** Joins two parts of a verse with a space between them. */
export function joinVerses(first: VerseText, second: VerseText): VerseText {
  const { words, layout } = move(second, (offset) => offset + first.text.length + 1);
  return {
    text: `${first.text} ${second.text}`,
    words: [...first.words, ...words],
    layout: {
      breaks: [...first.layout.breaks, ...layout.breaks],
      marks: [...first.layout.marks, ...layout.marks],
      notes: [...first.layout.notes, ...layout.notes],
      headings: [...first.layout.headings, ...layout.headings],
    },
  };
}

/**
 * Returns the part from `start` to before `end`, with marks cut off. Words partly inside are left out, and notes at
 * `start` unless it is 0: a note belongs to the text before it.
 */
export function sliceVerse(verse: VerseText, start: number, end = verse.text.length): VerseText {
  const text = verse.text.slice(start, end).trimEnd();
  const last = start + text.length;
  const begins = (each: { start: number }): boolean => each.start >= start && each.start < last;
  const { breaks, marks, notes, headings } = verse.layout;
  const layout: VerseLayout = {
    breaks: breaks.filter(begins),
    marks: marks.flatMap((mark) => {
      const from = Math.max(mark.start, start);
      const to = Math.min(mark.start + mark.length, last);
      return from < to ? [{ ...mark, start: from, length: to - from }] : [];
    }),
    notes: notes.filter((note) => (note.start > start || start === 0) && note.start <= last),
    headings: headings.filter(begins),
  };
  const words = verse.words.filter((word) => word.start >= start && word.start + word.length <= last);
  return move({ text, words, layout }, (offset) => offset - start);
}
