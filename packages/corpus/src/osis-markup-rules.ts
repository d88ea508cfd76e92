import type { MarkupRules } from './markup-reader';
import { parseStrongs } from './strongs-tags';

// Elements that start a new line.
const lines = new Set([
  'cell',
  'chapter',
  'closer',
  'div',
  'head',
  'header',
  'item',
  'l',
  'lb',
  'lg',
  'list',
  'milestone',
  'p',
  'row',
  'salute',
  'signed',
  'speaker',
  'table',
  'title',
  'verse',
]);
// Elements whose content is not part of a verse.
const unread = new Set(['catchWord', 'figure', 'head', 'header', 'index', 'note', 'rdg', 'speaker', 'title']);

/** The rules of OSIS 2.1.1, for files and for the entries of SWORD modules. */
export const osisRules: MarkupRules = {
  unread: (name) => unread.has(name),
  line: (name) => lines.has(name),
  quote: new Set(['q']),
  addition: new Set(['transChange']),
  divineName: new Set(['divineName']),
  strongs: (name, attribute) => (name === 'w' ? parseStrongs(attribute('lemma')) : null),
  // <q marker="“"> writes its mark. Without `marker` the quotation marks are in the text.
  mark: (name, attribute) => (name === 'q' ? attribute('marker') : ''),
};
