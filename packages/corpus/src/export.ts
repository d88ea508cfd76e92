import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf } from '@lectern/canon';
import type { TextMark, VerseLayout } from '@lectern/verse-layout';
import escapeXml from 'escape-html';
import type { Corpus } from './open-corpus';
import { decodeLayout } from './text-file';
import type { DocumentParagraph, JoinedNumbers, TranslationBook } from './translation';
import { importError } from './translation';

export const exportFormats = ['json', 'tsv', 'usfm', 'usx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface BookText extends Pick<TranslationBook, 'code' | 'name'> {
  readonly verses: readonly {
    readonly chapter: number;
    readonly verse: number;
    readonly last: number;
    readonly text: string;
    readonly layout: VerseLayout;
  }[];
  readonly introduction: readonly DocumentParagraph[];
}

/** Writes a translation to a folder, a file for each book. Returns the number of files. Throws an ImportError. */
export function exportText(corpus: Corpus, identifier: string, format: ExportFormat, folder: string): number {
  const stored = corpus.storedTranslations().find(({ details }) => details.identifier === identifier);
  if (!stored) throw importError(`the corpus has no translation ${identifier}; corpus list names them`);
  const paragraphs = [...stored.paragraphs];
  const verses = [...stored.verses];
  mkdirSync(folder, { recursive: true });
  for (const { code, name, joined = [] } of stored.books) {
    const lastOf = (chapter: number, verse: number): number =>
      joined.find(([of, first]: JoinedNumbers) => of === chapter && first === verse)?.[2] ?? verse;
    const own = verses.filter(({ ordinal }) => placeOf(ordinal).book === code);
    const book: BookText = {
      code,
      name,
      introduction: paragraphs.filter((paragraph) => paragraph.code === code),
      verses: own.map(({ ordinal, text, layout }) => {
        const { chapter, verse } = placeOf(ordinal);
        return { chapter, verse, last: lastOf(chapter, verse), text, layout: decodeLayout(layout ?? undefined) };
      }),
    };
    writeFileSync(join(folder, `${code}.${format}`), writers[format](book));
  }
  return stored.books.length;
}

/** A piece of a book: the start of a chapter, a verse or a paragraph, the start or end of a note or a mark, or text. */
type Piece =
  | { readonly kind: 'chapter'; readonly number: string }
  | { readonly kind: 'verse'; readonly number: string }
  | { readonly kind: 'paragraph'; readonly marker: string }
  | {
      readonly kind: 'open' | 'close';
      readonly marker: string;
      readonly attribute?: readonly [name: string, value: string];
    }
  | { readonly kind: 'text'; readonly text: string };

const headingMarkers = { PSALM_TITLE: 'd', SECTION: 's1', ACROSTIC: 'qa' } as const;
const markMarkers = { WORDS_OF_JESUS: 'wj', ADDED_WORDS: 'add', DIVINE_NAME: 'nd' } as const;
const documentMarkers = { HEADING: 'is', PARAGRAPH: 'ip', LINE: 'iq', LIST_ITEM: 'ili' } as const;
const breakMarkers = { PARAGRAPH: () => 'p', STANZA: () => 'b', LINE: (indent: number) => `q${indent + 1}` } as const;

/** Yields a book in the order of the page. Both formats of USFM are written from these pieces. */
function* piecesOf({ introduction, verses }: BookText): Generator<Piece> {
  for (const { kind, level, text } of introduction) {
    yield { kind: 'paragraph', marker: `${documentMarkers[kind]}${kind === 'PARAGRAPH' ? '' : level}` };
    yield { kind: 'text', text };
  }
  let chapter = 0;
  for (const verse of verses) {
    const isFirst = verse.chapter !== chapter;
    if (isFirst) yield { kind: 'chapter', number: `${verse.chapter}` };
    chapter = verse.chapter;
    yield* piecesOfVerse(verse, isFirst);
  }
}

function* piecesOfVerse(verse: BookText['verses'][number], isFirst: boolean): Generator<Piece> {
  const { text, layout } = verse;
  const notes = layout.notes.map((note) => ({ ...note, start: safeOffset(text, note.start) }));
  const offsets = [
    0,
    text.length,
    ...[...layout.breaks, ...layout.headings, ...notes].map(({ start }) => start),
    ...layout.marks.flatMap(({ start, length }) => [start, start + length]),
  ];
  const places = [...new Set(offsets)].sort((a, b) => a - b);
  const isMixed = ({ kind, start, length }: TextMark): boolean =>
    kind === 'DIVINE_NAME' && /\p{Lu}\p{Ll}/u.test(text.slice(start, start + length));
  // Only a mark without others inside it can have an attribute, which keeps the letters of "Jah" as they are.
  const marks = layout.marks.filter(
    (mark) => !isMixed(mark) || !places.some((place) => place > mark.start && place < mark.start + mark.length),
  );
  const markOf = (mark: TextMark) => ({
    marker: markMarkers[mark.kind],
    ...(isMixed(mark) && { attribute: ['x-case', 'kept'] as const }),
  });
  const open: TextMark[] = [];
  for (const [index, place] of places.entries()) {
    const at = <Item extends { start: number }>(items: readonly Item[]): Item[] =>
      items.filter(({ start }) => start === place);
    const headings = at(layout.headings);
    for (const { kind, text: heading } of headings) {
      yield { kind: 'paragraph', marker: headingMarkers[kind] };
      yield { kind: 'text', text: heading };
    }
    const breaks = at(layout.breaks);
    for (const { kind, indent } of breaks) yield { kind: 'paragraph', marker: breakMarkers[kind](indent) };
    const isOpen = breaks.some(({ kind }) => kind !== 'STANZA');
    if (!isOpen && (headings.length + breaks.length > 0 || (isFirst && place === 0)))
      yield { kind: 'paragraph', marker: 'nb' };
    if (place === 0) yield { kind: 'verse', number: numberOf(verse) };
    for (const { kind, text: note, links = [] } of at(notes)) {
      const marker = kind === 'CROSS_REFERENCE' ? 'x' : 'f';
      yield { kind: 'open', marker };
      let from = 0;
      for (const { start, length, target } of links) {
        yield { kind: 'text', text: note.slice(from, start) };
        from = start + length;
        yield { kind: 'open', marker: 'ref', attribute: ['loc', target] };
        yield { kind: 'text', text: note.slice(start, from) };
        yield { kind: 'close', marker: 'ref', attribute: ['loc', target] };
      }
      yield { kind: 'text', text: note.slice(from) };
      yield { kind: 'close', marker };
    }
    const next = places[index + 1];
    if (next === undefined) continue;
    for (const mark of marks.filter(({ start, length }) => start <= place && start + length >= next && length > 0)) {
      if (open.includes(mark)) continue;
      open.push(mark);
      yield { kind: 'open', ...markOf(mark) };
    }
    yield { kind: 'text', text: text.slice(place, next) };
    const isBreakNext = [...layout.breaks, ...layout.headings].some(({ start }) => start === next);
    const ended = open.findIndex(({ start, length }) => isBreakNext || start + length <= next);
    // Marks do not cross, so the marks inside one that ends here end here too, or at a break.
    for (const mark of ended < 0 ? [] : open.splice(ended).reverse()) yield { kind: 'close', ...markOf(mark) };
  }
}

const numberOf = ({ verse, last }: BookText['verses'][number]): string =>
  last > verse ? `${verse}-${last}` : `${verse}`;

/**
 * Returns the first offset from `start` on at which the importer keeps the text around a note as it is: not within a
 * word, and not between a space and a sign that ends a sentence.
 */
function safeOffset(text: string, start: number): number {
  let offset = start;
  while (
    offset > 0 &&
    offset < text.length &&
    !/^(?:\S[^\p{L}\p{M}\p{N}“‘«„([{¿¡]|\s\S|\S\s)/u.test(text.slice(offset - 1))
  )
    offset += 1;
  return offset;
}

/** Writes a backslash before the signs that have a meaning in USFM. */
const usfmText = (text: string): string => text.replace(/[\\|~]|\/(?=\/)|(?<=\/)\//g, '\\$&');

function writeUsfm(book: BookText): string {
  const open: string[] = [];
  let out = `\\id ${book.code}\n\\h ${usfmText(book.name)}`;
  for (const piece of piecesOf(book)) {
    if (piece.kind === 'text') out += usfmText(piece.text);
    else if (piece.kind === 'chapter') out += `\n\\c ${piece.number}`;
    else if (piece.kind === 'verse') out += `\n\\v ${piece.number} `;
    else if (piece.kind === 'paragraph') out += `\n\\${piece.marker} `;
    else {
      const isNote = piece.marker === 'f' || piece.marker === 'x';
      if (piece.kind === 'close') open.pop();
      const marker = isNote || open.length === 0 ? piece.marker : `+${piece.marker}`;
      const [name = '', value = ''] = piece.attribute ?? [];
      if (piece.kind === 'close') out += `${name && `|${name}="${value}"`}\\${marker}*`;
      else {
        out += `\\${marker} ${isNote ? `+ \\${marker}t ` : ''}`;
        open.push(piece.marker);
      }
    }
  }
  return `${out}\n`;
}

function writeUsx(book: BookText): string {
  let isOpen = false;
  const lines = [`<book code="${book.code}" style="id"/>`, `<para style="h">${escapeXml(book.name)}</para>`];
  let out = '';
  const end = (): string => (isOpen ? '</para>\n' : '');
  for (const piece of piecesOf(book)) {
    if (piece.kind === 'text') out += escapeXml(piece.text);
    else if (piece.kind === 'verse') out += `<verse number="${piece.number}" style="v"/>`;
    else if (piece.kind === 'chapter') {
      out += `${end()}<chapter number="${piece.number}" style="c"/>\n`;
      isOpen = false;
    } else if (piece.kind === 'paragraph') {
      out += `${end()}<para style="${piece.marker}">`;
      isOpen = true;
    } else {
      const { marker, attribute } = piece;
      const isNote = marker === 'f' || marker === 'x';
      const name = marker === 'ref' ? 'ref' : isNote ? 'note' : 'char';
      const style = marker === 'ref' ? '' : ` style="${marker}"${isNote ? ' caller="+"' : ''}`;
      const attributes = style + (attribute ? ` ${attribute[0]}="${escapeXml(attribute[1])}"` : '');
      out += piece.kind === 'open' ? `<${name}${attributes}>` : `</${name}>`;
    }
  }
  return `<?xml version="1.0" encoding="utf-8"?>\n<usx version="3.0">\n${lines.join('\n')}\n${out}${end()}</usx>\n`;
}

const writers: Record<ExportFormat, (book: BookText) => string> = {
  json: (book) => `${JSON.stringify(book, null, 1)}\n`,
  tsv: ({ code, verses }) =>
    verses.map((verse) => `${code}\t${verse.chapter}\t${numberOf(verse)}\t${verse.text}\n`).join(''),
  usfm: writeUsfm,
  usx: writeUsx,
};
