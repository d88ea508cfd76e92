import type { VerseText } from '../translation';
import { osisRules } from './osis-rules';
import { type Attributes, createMarkupReader, type MarkupOptions, type MarkupRules } from './reader';
import { type MarkupToken, parseStrongs, readAttribute, tokenizeMarkup } from './tokens';
import type { PendingLayout } from './verse-builder';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const thmlHeadings = words('h1 h2 h3 h4 h5 h6');
const isThmlHeading = (name: string, attribute: Attributes): boolean =>
  thmlHeadings.has(name) || (name === 'div' && ['sechead', 'title'].includes(attribute('class')));

/** The rules of Theological Markup Language (ThML): HTML with elements for notes, references and Strong's numbers. */
const thmlRules: MarkupRules = {
  unread: (name, attribute) =>
    name === 'note' || name === 'scripRef' || name === 'figure' || isThmlHeading(name, attribute),
  line: words('blockquote br div h1 h2 h3 h4 h5 h6 hr l lg li ol p table td th tr ul verse'),
  addition: words('added'),
  strongs: () => null,
  strongsBefore: (name, attribute) =>
    name === 'sync' && attribute('type') === 'Strongs' ? parseStrongs(attribute('value')) : [],
  aside(name, attribute) {
    if (isThmlHeading(name, attribute)) return 'SECTION';
    if (name === 'figure') return null;
    return name === 'scripRef' || attribute('type') === 'crossReference' ? 'CROSS_REFERENCE' : 'TRANSLATION';
  },
  textMark(name, attribute) {
    if (name === 'added') return 'ADDED_WORDS';
    return name === 'font' && /^(?:red|#(?:f00|ff0000))$/i.test(attribute('color')) ? 'WORDS_OF_JESUS' : null;
  },
  textBreak(name) {
    if (name === 'p' || name === 'blockquote') return { kind: 'PARAGRAPH', indent: 0 };
    if (name === 'lg') return { kind: 'STANZA', indent: 0 };
    return name === 'l' ? { kind: 'LINE', indent: 0 } : null;
  },
};

const gbfAsides: Readonly<Record<string, ReturnType<MarkupRules['aside']>>> = {
  RF: 'TRANSLATION',
  RP: 'CROSS_REFERENCE',
  RX: 'CROSS_REFERENCE',
  TA: 'ACROSTIC',
  TB: 'SECTION',
  TH: 'PSALM_TITLE',
  TS: 'SECTION',
  TT: null,
};

/** The rules of the General Bible Format (GBF). The names of the elements are those that `gbfToken` returns. */
const gbfRules: MarkupRules = {
  unread: (name) => name in gbfAsides,
  line: words('CL CM JC JL JR PI PP TA TB TH TS TT'),
  addition: words('FI'),
  strongs: () => null,
  strongsBefore: (name) => (/^W[GH]\d/.test(name) ? parseStrongs(name.slice(1)) : []),
  aside: (name) => gbfAsides[name] ?? null,
  textMark: (name) => (name === 'FI' ? 'ADDED_WORDS' : name === 'FR' ? 'WORDS_OF_JESUS' : null),
  textBreak(name) {
    if (name === 'CM' || name === 'PI') return { kind: 'PARAGRAPH', indent: 0 };
    return name === 'CL' || name === 'PP' ? { kind: 'LINE', indent: 0 } : null;
  },
};

/** Converts GBF to XML: `<Fr>` ends `<FR>`, tags without an end become empty, those for "<" and ">" become text. */
function gbfToken(token: MarkupToken): MarkupToken {
  if (token.name === '') return token;
  if (token.name === 'CT' || token.name === 'CG')
    return { ...token, kind: 'text', name: '', text: token.name === 'CT' ? '<' : '>' };
  if (!/^(?:[FPT]|R[^Bb])/.test(token.name)) return { ...token, kind: 'empty' };
  const name = token.name.slice(0, 2).toUpperCase();
  return { ...token, name, kind: name === token.name.slice(0, 2) ? 'open' : 'close' };
}

const rulesOf: Readonly<Record<string, MarkupRules>> = { OSIS: osisRules, THML: thmlRules, GBF: gbfRules };

/**
 * Reads an entry of a SWORD module. `carried` has the breaks and headings that the entry before ends with, and
 * `pending` those of this one. Source types other than OSIS, ThML and GBF are plain text.
 */
export function readSwordEntry(
  entry: string,
  sourceType: string,
  options: MarkupOptions,
  carried?: PendingLayout,
): VerseText & { pending: PendingLayout } {
  const rules = rulesOf[sourceType];
  const markup = createMarkupReader(rules ?? osisRules, options, carried);
  if (!rules) markup.text(entry);
  const tokens = rules ? tokenizeMarkup(entry).map((token) => (sourceType === 'GBF' ? gbfToken(token) : token)) : [];
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

/** The types of `div` elements that come before or after the text of a book. */
const matterTypes = new Set('appendix back colophon front glossary index introduction preface titlePage'.split(' '));

/** Returns whether a `div` ends the text of a book or starts another part, such as a glossary. */
function endsText({ kind }: MarkupToken, attribute: Attributes): boolean {
  const type = attribute('type');
  return attribute('eID') === '' ? kind !== 'close' && matterTypes.has(type) : kind !== 'open' && type === 'book';
}
