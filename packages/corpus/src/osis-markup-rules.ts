import type { MarkupRules } from './markup-reader';
import { parseStrongs } from './strongs-tags';

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
const unread = new Set(['catchWord', 'figure', 'head', 'header', 'index', 'note', 'rdg', 'speaker', 'title']);

/** OSIS 2.1.1, in files and in the entries of SWORD modules. */
export const osisRules: MarkupRules = {
  unread: (name) => unread.has(name),
  line: (name) => lines.has(name),
  quote: new Set(['q']),
  addition: new Set(['transChange']),
  divineName: new Set(['divineName']),
  strongs: (name, attribute) => (name === 'w' ? parseStrongs(attribute('lemma')) : null),
  // A mark is written only where the file names it; texts without it have their quotation marks in the text.
  mark: (name, attribute) => (name === 'q' ? attribute('marker') : ''),
};
