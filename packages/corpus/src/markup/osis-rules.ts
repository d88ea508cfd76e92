import type { VerseText } from '../translation';
import { type Attributes, createMarkupReader, type MarkupOptions, type MarkupRules } from './reader';
import { type MarkupToken, parseStrongs, readAttribute, tokenizeMarkup } from './tokens';
import type { PendingLayout } from './verse';

const unread = new Set('catchWord figure head header index note rdg speaker title'.split(' '));
// The types of titles that are not headings of a section, such as the titles of books and chapters.
const otherTitles = new Set(['main', 'chapter', 'scope', 'runningHead']);

/** The rules of OSIS 2.1.1, for files and for the entries of SWORD modules. */
export const osisRules: MarkupRules = {
  unread: (name) => unread.has(name),
  line: new Set(
    (
      'cell chapter closer div head header item l lb lg list milestone p row salute signed speaker table ' +
      'title verse'
    ).split(' '),
  ),
  quote: new Set(['q']),
  addition: new Set(['transChange']),
  divineName: new Set(['divineName']),
  strongs: (name, attribute) => (name === 'w' ? parseStrongs(attribute('lemma')) : null),
  // `<q marker="“">` stands for the mark. Without `marker`, quotation marks are in the text.
  quotationMark: (name, attribute) => (name === 'q' ? attribute('marker') : ''),
  aside(name, attribute) {
    const type = attribute('type');
    if (name === 'note') return type === 'crossReference' ? 'CROSS_REFERENCE' : 'TRANSLATION';
    if (name === 'speaker') return 'SECTION';
    // A title with a short form is the title of a book.
    if (name !== 'title' || otherTitles.has(type) || type.startsWith('x-') || attribute('short') !== '') return null;
    if (type === 'acrostic') return 'ACROSTIC';
    return type === 'psalm' ? 'PSALM_TITLE' : 'SECTION';
  },
  noteOrigin: (name, attribute) => name === 'reference' && attribute('type') === 'annotateRef',
  textMark(name, attribute) {
    if (name === 'q') return attribute('who') === 'Jesus' ? 'WORDS_OF_JESUS' : null;
    if (name === 'transChange') return attribute('type') === 'added' ? 'ADDED_WORDS' : null;
    return name === 'divineName' ? 'DIVINE_NAME' : null;
  },
  textBreak(name, attribute) {
    if (attribute('eID') !== '') return null;
    const type = attribute('type');
    if (name === 'p' || (name === 'div' && ['paragraph', 'x-p'].includes(type)))
      return { kind: 'PARAGRAPH', indent: 0 };
    // osis2mod writes USFM's blank line as <lb type="x-p"/>.
    if (name === 'lg' || (name === 'lb' && type === 'x-p')) return { kind: 'STANZA', indent: 0 };
    return name === 'l' ? { kind: 'LINE', indent: indentOf(attribute('level')) } : null;
  },
};

/** Returns the indent of a line of poetry, from 0 to 9. A line of level 1 has the indent 0. */
export const indentOf = (level: string): number => Math.min(Math.max((Number.parseInt(level, 10) || 1) - 1, 0), 9);

/**
 * Reads one OSIS entry of a SWORD module. `carried` are the breaks and headings at the end of the
 * entry before, `pending` those at the end of this one.
 */
export function readOsisEntry(
  entry: string,
  options: MarkupOptions,
  carried?: PendingLayout,
): VerseText & { pending: PendingLayout } {
  const markup = createMarkupReader(osisRules, options, carried);
  const tokens = tokenizeMarkup(entry);
  for (const [index, token] of tokens.entries()) {
    const attribute: Attributes = (name) => readAttribute(token.attributes, name);
    if (token.name === 'div' && endsText(token, attribute)) break;
    if (token.kind === 'text') markup.text(token.text);
    if (token.kind === 'open' || token.kind === 'empty')
      markup.open(token.name, attribute, () => textUntilClose(tokens, index));
    if (token.kind === 'close' || token.kind === 'empty') markup.close(token.name);
  }
  return { ...markup.finish(), pending: markup.pending() };
}

function textUntilClose(tokens: readonly MarkupToken[], from: number): string {
  const inside = tokens.slice(from);
  const end = inside.findIndex(({ kind, name }) => kind === 'close' && name === inside[0]?.name);
  return inside
    .slice(0, end === -1 ? undefined : end)
    .map(({ text }) => text)
    .join('');
}

/** The types of `div` elements that stand before or after the text of a book. */
const matterTypes = new Set('appendix back colophon front glossary index introduction preface titlePage'.split(' '));

/** Returns true for a `div` that ends a book, or that starts a part such as a glossary. */
function endsText({ kind }: MarkupToken, attribute: Attributes): boolean {
  const type = attribute('type');
  return attribute('eID') === '' ? kind !== 'close' && matterTypes.has(type) : kind !== 'open' && type === 'book';
}
