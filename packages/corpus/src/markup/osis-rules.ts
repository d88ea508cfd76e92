import type { MarkupRules } from './reader';
import { parseStrongs } from './tokens';

const unread = new Set('catchWord figure head header index note rdg speaker title'.split(' '));
// The types of titles that are not section headings, such as the titles of books and chapters.
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
  // The attribute holds the quotation mark of `<q marker="“">`. Without it, the text itself has quotation marks.
  quotationMark: (name, attribute) => (name === 'q' ? attribute('marker') : ''),
  aside(name, attribute) {
    const type = attribute('type');
    if (name === 'note') return type === 'crossReference' ? 'CROSS_REFERENCE' : 'TRANSLATION';
    if (name === 'speaker') return 'SECTION';
    // A title with the attribute `short` is the title of a book.
    if (name !== 'title' || otherTitles.has(type) || type.startsWith('x-') || attribute('short') !== '') return null;
    if (type === 'acrostic') return 'ACROSTIC';
    return type === 'psalm' ? 'PSALM_TITLE' : 'SECTION';
  },
  noteOrigin: (name, attribute) => name === 'reference' && attribute('type') === 'annotateRef',
  linkTarget: (name, attribute) => (name === 'reference' ? attribute('osisRef') : ''),
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

/** Returns the indent of a line of poetry, from 0 to 9. Level 1 has the indent 0. */
const indentOf = (level: string): number => Math.min(Math.max((Number.parseInt(level, 10) || 1) - 1, 0), 9);
