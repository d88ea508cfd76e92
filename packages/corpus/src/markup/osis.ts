import { type Attributes, createMarkupReader, type MarkupOptions, type MarkupRules } from './reader';
import { type MarkupToken, parseStrongs, readAttribute, tokenizeMarkup } from './tokens';
import type { PendingLayout, VerseText } from './verse';

// Elements that start a new line.
const lines = new Set(
  'cell chapter closer div head header item l lb lg list milestone p row salute signed speaker table title verse'.split(
    ' ',
  ),
);
// Elements whose content is not part of a verse.
const unread = new Set(['catchWord', 'figure', 'head', 'header', 'index', 'note', 'rdg', 'speaker', 'title']);

// The types of titles that are not headings of a section, such as the titles of books and chapters.
const otherTitles = new Set(['main', 'chapter', 'scope', 'runningHead']);

/** The rules of OSIS 2.1.1, for files and for the entries of SWORD modules. */
export const osisRules: MarkupRules = {
  unread: (name) => unread.has(name),
  line: (name) => lines.has(name),
  quote: new Set(['q']),
  addition: new Set(['transChange']),
  divineName: new Set(['divineName']),
  strongs: (name, attribute) => (name === 'w' ? parseStrongs(attribute('lemma')) : null),
  // `<q marker="“">` stands for the quotation mark. Without `marker`, the quotation marks are in
  // the text.
  quotationMark: (name, attribute) => (name === 'q' ? attribute('marker') : ''),
  aside(name, attribute) {
    if (name === 'note')
      return { kind: 'note', noteKind: attribute('type') === 'crossReference' ? 'CROSS_REFERENCE' : 'TRANSLATION' };
    if (name === 'speaker') return { kind: 'heading', headingKind: 'SECTION' };
    const type = attribute('type');
    // A title with a short form is the title of a book.
    if (name !== 'title' || otherTitles.has(type) || type.startsWith('x-') || attribute('short') !== '') return null;
    if (type === 'acrostic') return { kind: 'heading', headingKind: 'ACROSTIC' };
    return { kind: 'heading', headingKind: type === 'psalm' ? 'PSALM_TITLE' : 'SECTION' };
  },
  noteOrigin: (name, attribute) => name === 'reference' && attribute('type') === 'annotateRef',
  textMark(name, attribute) {
    if (name === 'q') return attribute('who') === 'Jesus' ? 'WORDS_OF_JESUS' : null;
    if (name === 'transChange') return attribute('type') === 'added' ? 'ADDED_WORDS' : null;
    return name === 'divineName' ? 'DIVINE_NAME' : null;
  },
  textBreak(name, attribute) {
    if (attribute('eID') !== '') return null;
    if (name === 'p' || (name === 'div' && ['paragraph', 'x-p'].includes(attribute('type'))))
      return { kind: 'PARAGRAPH', indent: 0 };
    // osis2mod writes USFM's blank line as <lb type="x-p"/>.
    if (name === 'lg' || (name === 'lb' && attribute('type') === 'x-p')) return { kind: 'STANZA', indent: 0 };
    return name === 'l' ? { kind: 'LINE', indent: indentOf(attribute('level')) } : null;
  },
};

/** Returns the indent of a line of poetry, from 0 to 9. A line of level 1 has the indent 0. */
export const indentOf = (level: string): number => Math.min(Math.max((Number.parseInt(level, 10) || 1) - 1, 0), 9);

/** The types of `div` elements that stand before or after the text of a book. */
const matterTypes = new Set('appendix back colophon front glossary index introduction preface titlePage'.split(' '));

/** The text of an entry, and the breaks and headings after it that belong to the next entry. */
interface OsisEntry extends VerseText {
  readonly pending: PendingLayout;
}

/**
 * Reads the text, the tags and the layout of one OSIS entry of a SWORD module. `carried` are the
 * breaks and headings at the end of the entry before.
 */
export function readOsisEntry(entry: string, options: MarkupOptions, carried?: PendingLayout): OsisEntry {
  const markup = createMarkupReader(osisRules, options, carried);
  const tokens = tokenizeMarkup(entry);
  for (const [index, token] of tokens.entries()) {
    const attribute: Attributes = (name) => readAttribute(token.attributes, name);
    if (endsBook(token, attribute) || startsMatter(token, attribute)) break;
    if (token.kind === 'text') markup.text(token.text);
    if (token.kind === 'open' || token.kind === 'empty')
      markup.open(token.name, attribute, () => textUntilClose(tokens, index));
    if (token.kind === 'close' || token.kind === 'empty') markup.close(token.name);
  }
  return { ...markup.finish(), pending: markup.pending() };
}

function textUntilClose(tokens: readonly MarkupToken[], from: number): string {
  const name = tokens[from]?.name;
  let text = '';
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.kind === 'close' && token.name === name) break;
    text += token?.text ?? '';
  }
  return text;
}

/** Returns true at the end of a book. The World English Bible's module has a glossary after it. */
const endsBook = (token: MarkupToken, attribute: Attributes): boolean =>
  token.name === 'div' && token.kind !== 'open' && attribute('eID') !== '' && attribute('type') === 'book';

/**
 * Returns true at the start of a part that is not text of a book, such as a glossary or an
 * introduction.
 */
const startsMatter = (token: MarkupToken, attribute: Attributes): boolean =>
  token.name === 'div' && token.kind !== 'close' && attribute('eID') === '' && matterTypes.has(attribute('type'));
