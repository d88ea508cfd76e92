import { allBooks, isBookCode } from '@lectern/canon';
import { documentParagraphKind, isIntroduction } from '../markup/usfm-rules';
import { createVerseBuilder, type VerseBuilder } from '../markup/verse-builder';
import { oneLine } from '../resolve-metadata';
import {
  type DocumentKind,
  type DocumentParagraph,
  type DraftDocument,
  describePosition,
  importError,
  type Position,
} from '../translation';

/** The kinds of documents by their USFM codes, in the order in which documents are listed. */
const kinds = new Map<string, DocumentKind>([
  ['FRT', 'FRONT_MATTER'],
  ['INT', 'FRONT_MATTER'],
  ...allBooks.map(({ code }) => [code, 'BOOK_INTRODUCTION'] as const),
  ['BAK', 'BACK_MATTER'],
  ['GLO', 'GLOSSARY'],
  ...['CNC', 'TDX', 'NDX'].map((code) => [code, 'INDEX'] as const),
  ...['OTH', 'XXA', 'XXB', 'XXC', 'XXD', 'XXE', 'XXF', 'XXG'].map((code) => [code, 'OTHER'] as const),
]);

/** Returns whether a USFM code is that of a document beside the books of the Bible, such as a glossary. */
export const isDocumentCode = (code: string): boolean => kinds.has(code) && !isBookCode(code);

const maxTitleLength = 200;
const maxParagraphLength = 20_000;
/** The maximum length of a document, to which each paragraph adds 20. The glossary of the WEB has 22,000. */
const maxDocumentLength = 1_000_000;

interface OpenDocument extends DraftDocument {
  paragraphs: DocumentParagraph[];
  /** The short name, which is the title if the document has no other. */
  name: string;
  length: number;
  file: string;
}

interface OpenParagraph {
  marker: string;
  kind: DocumentParagraph['kind'];
  text: VerseBuilder;
  at: Position;
}

/** Collects text outside of verses. The first document with a code counts. `position` is the place in the file. */
export function createDocumentCollector(position: () => Position) {
  const documents = new Map<string, DraftDocument>();
  const empty = new Set<string>();
  const repeated: string[] = [];
  let current: OpenDocument | null = null;
  let paragraph: OpenParagraph | null = null;

  const add = ({ marker, kind, text: builder, at }: OpenParagraph, document: OpenDocument): void => {
    const { text, words } = builder.finish();
    if (text === '') return;
    const reject = (what: string, max: number, advice: string): never => {
      throw importError(
        `${describePosition(at)}: ${what} of the document ${document.code} has more than ${max} characters; ${advice}`,
      );
    };
    if (text.length > maxParagraphLength) reject('a paragraph', maxParagraphLength, 'divide it');
    if (/^i?mt1?$/.test(marker) && document.title === '' && text.length <= maxTitleLength) {
      document.title = text;
      return;
    }
    document.length += text.length + 20;
    if (document.length > maxDocumentLength) reject('the text', maxDocumentLength, 'shorten it, or leave it out');
    // A keyword is stored as a tag while the paragraph is read.
    const keyword = words.find(({ start }) => start === 0);
    document.paragraphs.push({
      kind,
      level: Number(/\d$/.exec(marker)?.[0] ?? 1),
      keyword: keyword && keyword.length <= maxTitleLength ? text.slice(0, keyword.length) : null,
      text,
    });
  };
  const endDocument = (): void => {
    if (!current) return;
    const { code, kind, title, name, paragraphs, file } = current;
    current = null;
    if (paragraphs.length === 0 && isDocumentCode(code)) empty.add(code);
    if (paragraphs.length === 0) return;
    if (documents.has(code)) repeated.push(`${code} (${file})`);
    else documents.set(code, { code, kind, title: title || name, paragraphs });
  };

  return {
    /** Begins the document of a book, or of front matter, a glossary and the like. Other codes have no document. */
    begin(code: string): void {
      endDocument();
      const kind = kinds.get(code);
      if (kind) current = { code, kind, title: '', name: '', paragraphs: [], length: 0, file: position().file };
    },
    /** Gives the document its short name. The name of a book is not the name of its introduction. */
    name(text: string): void {
      if (current && isDocumentCode(current.code)) current.name ||= oneLine(text).slice(0, maxTitleLength);
    },
    /** Begins a paragraph before the first chapter of a book, or anywhere in another document. */
    beginParagraph(marker: string): void {
      const kind = documentParagraphKind(marker);
      if (!current || !kind || (isBookCode(current.code) && !isIntroduction(marker))) return;
      paragraph = { marker, kind, text: createVerseBuilder(), at: position() };
    },
    endParagraph(): void {
      if (paragraph && current) add(paragraph, current);
      paragraph = null;
    },
    hasParagraph: (): boolean => paragraph !== null,
    text: (text: string): void => paragraph?.text.write(text),
    beginKeyword: (): void => paragraph?.text.openTag([], 'k'),
    endKeyword: (): void => paragraph?.text.closeTag(),
    /** Returns the documents, and remarks on those that are left out. */
    finish(): { documents: DraftDocument[]; remarks: string[] } {
      endDocument();
      const remarks: string[] = [];
      const withoutText = [...empty].filter((code) => !documents.has(code));
      if (withoutText.length > 0) remarks.push(`left out, because they hold no text: ${withoutText.join(' ')}`);
      if (repeated.length > 0)
        remarks.push(`documents that occur again, of which the first is kept: ${repeated.slice(0, 30).join(', ')}`);
      return { documents: [...kinds.keys()].flatMap((code) => documents.get(code) ?? []), remarks };
    },
  };
}
export type DocumentCollector = ReturnType<typeof createDocumentCollector>;
