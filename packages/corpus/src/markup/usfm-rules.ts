import type { HeadingKind, NoteKind, TextMarkKind } from '@lectern/verse-layout';
import { oneLine } from '../resolve-metadata';
import type { DocumentParagraph } from '../translation';
import type { MarkupRules } from './reader';
import { parseStrongs } from './tokens';

/** What a USFM marker marks, as in https://docs.usfm.bible */
export type MarkerKind = 'paragraph' | 'cell' | 'character' | 'note' | 'noteCharacter' | 'milestone';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

// Markers are listed without the digit of their level: \q2 is q.
const prose = words('p m pb po pr cls pmo pm pmc pmr pi mi pc ph phi lh lf');
const lines = words('q qr qc qm qd li lim tr');
const headings: Readonly<Record<string, HeadingKind>> = {
  d: 'PSALM_TITLE',
  qa: 'ACROSTIC',
  ...Object.fromEntries([...words('s ms mr r sr sp')].map((name) => [name, 'SECTION'])),
};
/** The markers of paragraphs outside of verses: identification, titles, introductions, sidebars, private ones. */
const matter = words(
  'id ide usfm sts rem h toc toca mt mte imt imte is ip ipi im imi ipq imq ipr iq ib ili iot io iex ie ' +
    'cl cd cp lit sd restore periph esb esbe',
);
const cells = words('tc tcr tcc th thr thc');
const notes: Readonly<Record<string, NoteKind>> = {
  ...Object.fromEntries([...words('f fe ef')].map((name) => [name, 'TRANSLATION'])),
  ...Object.fromEntries([...words('x ex rq')].map((name) => [name, 'CROSS_REFERENCE'])),
};
const noteCharacters = words('fr ft fk fq fqa fl fw fp fv fdc fm xo xop xk xq xt xta xot xnt xdc');
/** The character markers whose content is not text of verses, such as alternative verse numbers and pictures. */
const unreadCharacters = words('ca va vp fig fm pro ndx iqt ior cat');
const characters = words(
  'add addpn bk dc em bd bdit it no sc sup k nd ord pn png qt sig sls tl wj w wg wh wa wr rb rt jmp ref lik litl liv ' +
    'qac qs efm xt',
);
const milestones = /^(?:qt\d?|k|ts|z[\w-]+)(?:-[se])?$/;
const marks: Readonly<Record<string, TextMarkKind>> = {
  add: 'ADDED_WORDS',
  addpn: 'ADDED_WORDS',
  nd: 'DIVINE_NAME',
  wj: 'WORDS_OF_JESUS',
};

/** Removes the level or the columns from a marker: "q2" becomes "q", and "tc1-2" becomes "tc". */
const baseOf = (marker: string): string => marker.replace(/\d(?:-\d)?$/, '');
const isHeaderCell = (name: string): boolean => name.startsWith('th') && cells.has(name);

/** Returns the kind of a marker. Returns null for `c`, `v` and any marker that USFM does not have. */
export function markerKind(marker: string): MarkerKind | null {
  const base = baseOf(marker);
  if (base === 'rq') return 'character';
  if (base in notes) return 'note';
  if (noteCharacters.has(base)) return 'noteCharacter';
  if (unreadCharacters.has(base) || characters.has(base)) return 'character';
  if (cells.has(base)) return 'cell';
  if (isTextParagraph(marker) || base in headings || matter.has(base)) return 'paragraph';
  return milestones.test(marker) ? 'milestone' : null;
}

/** The paragraphs that say what a file is, and private ones. */
const identification = words('id ide usfm sts rem h toc toca restore esb esbe');
const matterHeadings = words('mt mte imt imte is iot periph');
const listItems = words('li lim ili io');

/** Returns the kind of a paragraph of a document, such as an introduction. Null if it is not part of the document. */
export function documentParagraphKind(marker: string): DocumentParagraph['kind'] | null {
  const base = baseOf(marker);
  if (identification.has(base)) return null;
  if (matterHeadings.has(base) || base in headings) return 'HEADING';
  if (listItems.has(base)) return 'LIST_ITEM';
  return lines.has(base) || base === 'iq' ? 'LINE' : 'PARAGRAPH';
}

/** Returns whether a paragraph before the first chapter of a book belongs to the introduction. */
export const isIntroduction = (marker: string): boolean =>
  isTextParagraph(marker) || (marker.startsWith('i') && matter.has(baseOf(marker)));

/** Returns whether the content of a marker is not part of a document's text, such as a note or a picture. */
export function isOutsideDocument(marker: string): boolean {
  const base = baseOf(marker);
  return base in notes || (unreadCharacters.has(base) && base !== 'iqt' && base !== 'ior');
}

/** Returns whether the text of a paragraph with this marker belongs to verses. */
export function isTextParagraph(marker: string): boolean {
  const base = baseOf(marker);
  return prose.has(base) || lines.has(base) || base === 'b' || base === 'nb';
}

export const isNoteOrigin = (marker: string): boolean => marker === 'fr' || marker === 'xo';

/** The rules of USFM, and of its XML forms USX and USFX. Elements have the names of USFM markers. */
export const usfmRules: MarkupRules = {
  unread(marker) {
    const base = baseOf(marker);
    return base in notes || base in headings || isHeaderCell(base) || unreadCharacters.has(base) || matter.has(base);
  },
  line: {
    has: (marker) => {
      const kind = markerKind(marker);
      return (
        kind === 'paragraph' ||
        kind === 'cell' ||
        marker === 'qs' ||
        marker === 'fp' ||
        marker === 'v' ||
        marker === 'c'
      );
    },
  },
  quote: new Set(['wj']),
  addition: new Set(['add']),
  divineName: new Set(['nd']),
  strongs: (marker, attribute) =>
    marker === 'w' || marker === 'wg' || marker === 'wh'
      ? parseStrongs(attribute('strong') || attribute('s') || attribute(''))
      : null,
  // Commas and underscores are removed from lemmas, because they separate the stored tags of a verse.
  lemma(attribute) {
    const lemma = oneLine(attribute('lemma') || attribute(''));
    return /^[^,_]{1,60}$/.test(lemma) && parseStrongs(lemma).length === 0 ? lemma : '';
  },
  aside: (marker) => notes[baseOf(marker)] ?? headings[baseOf(marker)] ?? null,
  noteOrigin: (marker) => isNoteOrigin(marker) || marker === 'cat',
  linkTarget(marker, attribute) {
    const own = ['xt', 'ref'].includes(baseOf(marker));
    const target = attribute('link-href') || (own ? attribute('loc') || attribute('tgt') || attribute('') : '');
    return /^#|:\/\//.test(target) ? '' : target;
  },
  textMark: (marker) => marks[marker] ?? null,
  textBreak(marker) {
    const base = baseOf(marker);
    if (base === 'b') return { kind: 'STANZA', indent: 0 };
    if (prose.has(base)) return { kind: 'PARAGRAPH', indent: 0 };
    // `Selah` gets a line of its own, as in SWORD modules.
    if (marker === 'qs') return { kind: 'LINE', indent: 0 };
    const level = Number(/\d$/.exec(marker)?.[0] ?? 1);
    return lines.has(base) ? { kind: 'LINE', indent: Math.max(level - 1, 0) } : null;
  },
};
