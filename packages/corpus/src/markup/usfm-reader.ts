import { basename } from 'node:path';
import { chapterEnds, findBook, isBookCode, placeInEsther } from '@lectern/canon';
import { type DocumentCollector, isDocumentCode } from '../formats/document-collector';
import { parseVerseNumbers, type VerseCollector } from '../formats/verse-collector';
import { describePosition, type FindingKind, importError, type Position } from '../translation';
import { type Attributes, type MarkupReader, noAttributes } from './reader';
import { isNoteOrigin, isOutsideDocument, isTextParagraph, type MarkerKind, markerKind } from './usfm-rules';

/** The maximum number of open markers. The time for each word grows with it. */
const maxDepth = 500;
/** The maximum length of a message. It names a marker, which has no end in a file that is not USFM. */
const maxMessageLength = 200;

interface OpenMarker {
  marker: string;
  kind: MarkerKind;
  at: Position;
  /** Whether the marker continues in the next paragraph, because its end marker follows there. */
  spans: boolean;
}

/**
 * Receives USFM markers in order, and closes open ones as USFM defines: a new paragraph or part of a note ends the
 * last. `position` is the place, for findings.
 */
export function createUsfmReader(
  markup: MarkupReader,
  verses: VerseCollector,
  documents: DocumentCollector,
  position: () => Position,
) {
  let book = '';
  let chapter = 0;
  let verse = '';
  /** The last verse number of the chapter so far, and that of the chapter before. */
  let lastNumber = 0;
  let numberBefore = 0;
  let inSidebar = false;
  /** The letter of an addition to Esther, which some Bibles have for the number of its chapter. Otherwise ''. */
  let addition = '';
  const open: OpenMarker[] = [];
  let noteHasText = false;
  /** The Strong's numbers of the original words that unfoldingWord's files give for the words that follow. */
  let aligned: string[] = [];

  const place = (): string | null =>
    book === '' ? null : chapter === 0 ? book : `${book} ${chapter}${verse === '' ? '' : `:${verse}`}`;
  const once = new Set<string>();
  /** Reports a finding. If `isOnce` is true, ignores later findings with the same message. */
  const report = (kind: FindingKind, message: string, isOnce = false, at = position()): void => {
    if (!once.has(message)) verses.report(kind, place(), message.slice(0, maxMessageLength), at);
    if (isOnce) once.add(message);
  };

  /** Closes the open markers from `index` on. Reports those without an end. The end of `closing` was just read. */
  const closeFrom = (index: number, closing = ''): void => {
    for (const { marker, kind, at, spans } of open.splice(index).reverse()) {
      if ((kind === 'character' || kind === 'note') && marker !== closing && !spans)
        report('markup', `\\${marker} is not closed by \\${marker}*`, false, at);
      if (kind === 'note' && !noteHasText) report('note', `the note \\${marker} has no text`, false, at);
      if (marker === 'k' && closing === 'k') documents.endKeyword();
      if (kind === 'paragraph') documents.endParagraph();
      markup.close(marker);
    }
  };
  const closeFirst = (kind: OpenMarker['kind']): void => {
    const index = open.findIndex((each) => each.kind === kind);
    if (index >= 0) closeFrom(index);
  };
  const push = (marker: string, kind: OpenMarker['kind'], attribute: Attributes, spans = false): void => {
    if (open.length === maxDepth)
      throw importError(
        `${describePosition(position())}: more than ${maxDepth} markers are open; close them, as in \\nd LORD\\nd*`,
      );
    open.push({ marker, kind, at: position(), spans });
    if (marker === 'k') documents.beginKeyword();
    if (kind === 'cell') documents.text(' ');
    markup.open(marker, attribute);
  };
  const openParagraph = (marker: string): void => {
    const spanning = isTextParagraph(marker) ? open.filter(({ spans }) => spans) : [];
    closeFrom(0);
    if (!inSidebar && (chapter === 0 || isDocumentCode(book))) documents.beginParagraph(marker);
    push(inSidebar ? 'rem' : marker, 'paragraph', noAttributes);
    for (const each of spanning) push(each.marker, each.kind, noAttributes, true);
  };
  const isInNote = (): boolean => open.some(({ kind }) => kind === 'note');
  const milestone = (marker: string, attribute: Attributes): void => {
    // unfoldingWord's files have Strong's numbers such as "H7225", "b:H7225" with a prefix, and "G23160" for G2316.
    if (marker === 'zaln-s')
      aligned.push(/[GH]\d{1,5}/.exec(attribute('x-strong'))?.[0].replace(/^(G\d{4})\d$/, '$1') ?? '');
    if (marker === 'zaln-e') aligned.pop();
    // A quotation with the speaker Jesus is marked as words of Jesus.
    const isEnd = /^qt\d?-e$/.test(marker);
    if (!isEnd && !(/^qt\d?-s$/.test(marker) && attribute('who') === 'Jesus')) return;
    const key = attribute(isEnd ? 'eid' : 'sid') || 'qt';
    markup.open('wj', (name) => (name === (isEnd ? 'eID' : 'sID') ? key : ''));
    markup.close('wj');
  };

  const beginBook = (code: string): void => {
    closeFrom(0);
    [book, chapter, verse, lastNumber, inSidebar, aligned] = [code.toUpperCase(), 0, '', 0, false, []];
    // The text of a document is kept, although it has no verses.
    verses.beginBook(isDocumentCode(book) ? '' : book);
    documents.begin(book);
    push('id', 'paragraph', noAttributes);
  };
  const beginChapter = (text: string): void => {
    closeFrom(0);
    verses.endChapter();
    addition = /^ES[TG]$/.test(book) ? (/^\s*([A-F])\s*$/.exec(text)?.[1] ?? '') : '';
    const written = addition === '' ? Number.parseInt(text, 10) : placeInEsther(addition, 1)[0];
    // Some files number the only chapter of the book as the psalm.
    const number = book === 'PS2' && written === 151 ? 1 : written;
    [chapter, verse, inSidebar] = [Number.isInteger(number) ? number : 0, '', false];
    [numberBefore, lastNumber] = [lastNumber, 0];
    if (chapter === 0) report('markup', `'${text.trim().slice(0, 20)}' is not the number of a chapter`);
  };

  return {
    book: beginBook,
    /** Begins the book of a file without `\id`, or with `written` for its code. Returns false if no name tells it. */
    bookWithoutId(names: readonly string[], written = ''): boolean {
      const [, code = ''] = /^(?:\d\d-?|(?=...[^A-Za-z]))([1-4A-Z][A-Z]{2})/.exec(basename(position().file)) ?? [];
      const found = [...names.slice(0, 9), code]
        .map((name) => findBook(name.trim(), 'eng', undefined, true))
        .find((each) => each);
      const why = written === '' ? 'the file has no \\id' : `'${written.slice(0, 40)}' is not the code of a book`;
      const message = `${why}; write on its first line the code of its book, as in \\id ${found?.code ?? 'TIT'}`;
      verses.report('markup', found?.code ?? null, message);
      if (found) beginBook(found.code);
      return found !== undefined;
    },
    nameBook(name: string): void {
      verses.nameBook(book, name);
      documents.name(name);
    },
    chapter: beginChapter,
    /**
     * Begins a verse. `nextChapter` is the number of the next chapter in the source, or Infinity, if it is known.
     * Then a verse that begins again at 1, or stands before the first chapter, begins the chapter that is missing.
     */
    verse(text: string, nextChapter = 0): void {
      if (isDocumentCode(book)) return;
      closeFirst('note');
      let numbers = parseVerseNumbers(text);
      if (numbers && addition !== '') {
        const [first, last] = [placeInEsther(addition, numbers.first), placeInEsther(addition, numbers.last)];
        chapter = first[0];
        numbers = { ...numbers, first: first[1], last: Math.max(first[1], last[1]) };
      }
      const isMissing = chapter === 0 || (numbers?.first === 1 && !numbers.part && lastNumber > 1);
      const ends = isBookCode(book) ? chapterEnds('standard', book) : [];
      if (isMissing && addition === '' && nextChapter > chapter + 1 && chapter < ends.length) {
        verses.endChapter();
        // Before the first chapter, the paragraph began as one of the introduction.
        documents.endParagraph();
        [chapter, verse, lastNumber] = [chapter + 1, text.trim(), 0];
        const why = chapter === 1 ? 'no chapter precedes the verse' : 'the verses begin again at 1';
        report('order', `\\c ${chapter} is missing: ${why}`);
      }
      verses.end();
      verse = text.trim();
      // Some translations count the title of a psalm as a verse, so a heading may contain a verse.
      const [paragraph] = open;
      if (paragraph?.kind === 'paragraph' && !isTextParagraph(paragraph.marker)) openParagraph('p');
      if (!numbers) return report('markup', `'${verse.slice(0, 20)}' is not the number of a verse`);
      // Some texts begin chapter 8 of John with 7:53.
      const isOfBefore =
        lastNumber === 0 &&
        numbers.first === numberBefore + 1 &&
        numbers.first > 1 &&
        numbers.last === ends[chapter - 2];
      if (isOfBefore) report('order', `it is the last verse of chapter ${chapter - 1}, but follows \\c ${chapter}`);
      else lastNumber = Math.max(lastNumber, numbers.last);
      if (book !== '') verses.begin(book, isOfBefore ? chapter - 1 : chapter, numbers);
    },
    /** Opens a marker other than those of books, chapters and verses. An unknown marker is treated as `otherwise`. */
    open(marker: string, attribute = noAttributes, otherwise: MarkerKind = 'paragraph', spans = false): void {
      const known = markerKind(marker);
      if (known === null)
        report(
          'marker',
          `\\${marker} is not a marker of USFM${/[A-Z]/.test(marker) ? ': markers have small letters' : ''}`,
        );
      const kind = known ?? otherwise;
      if (kind === 'milestone') return milestone(marker, attribute);
      if (marker === 'esb' || marker === 'esbe') inSidebar = marker === 'esb';
      if (kind === 'paragraph') return openParagraph(marker);
      if (kind === 'note') {
        closeFirst('note');
        // A caller of a note (\\fm) without an end marker ends where the note begins.
        closeFirst('noteCharacter');
        noteHasText = false;
      }
      if (kind === 'noteCharacter' && isInNote()) closeFirst('noteCharacter');
      if (kind === 'cell') closeFirst('cell');
      const own = attribute('strong');
      const numbers = own === '' && marker === 'w' ? aligned.join(' ') : own;
      push(marker, kind, (name) => (name === 'strong' ? numbers : attribute(name)), spans && marker === 'wj');
    },
    close(marker: string): void {
      const index = open.findLastIndex((each) => each.marker === marker);
      if (index >= 0) closeFrom(index, marker);
      else if (['character', 'note'].includes(markerKind(marker) ?? ''))
        report('markup', `\\${marker}* closes nothing`);
    },
    /** Returns whether no verse of the current psalm has begun, so that text is its title. */
    isBeforePsalm: (): boolean => book === 'PSA' && chapter > 0 && verse === '',
    /** Opens a paragraph with the title of a psalm. Returns the marker of the title. */
    openTitle(marker: string): string {
      report('markup', `\\${marker} before the first verse is read as \\d, the title of the psalm`);
      openParagraph('d');
      return 'd';
    },
    /** Ends the current verse, for sources that mark the end. In others, the next verse ends it. */
    endVerse: (): void => verses.end(),
    report,
    text(text: string): void {
      const [paragraph] = open;
      const last = open.at(-1);
      if (documents.hasParagraph() && !open.some(({ marker }) => isOutsideDocument(marker))) documents.text(text);
      if (/\S/.test(text)) {
        if (last && !isNoteOrigin(last.marker)) noteHasText = true;
        const isOutside =
          chapter > 0 && !isDocumentCode(book) && !verses.isOpen() && !isInNote() && !last?.marker.startsWith('th');
        if (isOutside && (!paragraph || isTextParagraph(paragraph.marker)))
          report('outside-verse', `'${text.trim().slice(0, 40)}' stands in no verse`);
      }
      markup.text(text);
    },
    end(): void {
      closeFrom(0);
      verses.beginBook();
    },
  };
}
export type UsfmReader = ReturnType<typeof createUsfmReader>;
