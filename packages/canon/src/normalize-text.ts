/** A text after normalization. All positions are in UTF-16 units. */
export interface NormalizedText {
  text: string;
  original: string;
  /** For each UTF-16 unit of `text`, the start of its character in `original`. `ends` has the ends. */
  starts: readonly number[];
  ends: readonly number[];
}

// Compatibility characters that people paste: ª, Ⅲ, ﬁ, full-width and mathematical letters, special spaces. NFKC is
// applied to these only, because it would decompose the Thai vowel sara am.
const compatibility = /[\u00aa\u00ba\u2160-\u2188\ufb00-\ufb06\ufe50-\ufe6f\uff01-\uffef\u{1d400}-\u{1d7ff}\p{Zs}]/u;
const dashes = /[\u2010-\u2015\u2212\u223c\u02d7\u301c\ufe58\ufe63\uff0d\uff5e]/u;
const colons = /[\u2236\ua789\u02d0]/u;

/**
 * Normalizes characters, but not the case: "Ｊohn ３：16–１８" becomes "John 3:16-18", "John ٣:١٦" becomes "John 3:16".
 * Removes invisible format characters, and replaces control characters by spaces and lone surrogates by U+FFFD.
 */
export function normalizeText(original: string): NormalizedText {
  if (/^[\x20-\x7e]*$/.test(original)) {
    const starts = Array.from(original, (_, index) => index);
    return { text: original, original, starts, ends: starts.map((start) => start + 1) };
  }
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const match of original.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const plain = plainCluster(match[0]);
    text += plain;
    for (let unit = 0; unit < plain.length; unit++) {
      starts.push(match.index);
      ends.push(match.index + match[0].length);
    }
  }
  return { text, original, starts, ends };
}

export const originalRange = ({ starts, ends, original }: NormalizedText, start: number, end: number) => ({
  start: starts[start] ?? original.length,
  end: ends[end - 1] ?? 0,
});

export interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** Replaces ranges, given in order. Each unit of a replacement has the position of the whole range. */
export function replaceRanges(plain: NormalizedText, replacements: readonly Replacement[]): NormalizedText {
  if (replacements.length === 0) return plain;
  const starts: number[] = [];
  const ends: number[] = [];
  let text = '';
  let at = 0;
  for (const { start, end, text: replacement } of [...replacements, { start: plain.text.length, end: 0, text: '' }]) {
    text += plain.text.slice(at, start) + replacement;
    for (; at < start; at += 1) {
      starts.push(plain.starts[at] ?? 0);
      ends.push(plain.ends[at] ?? 0);
    }
    for (let unit = 0; unit < replacement.length; unit += 1) {
      starts.push(plain.starts[start] ?? 0);
      ends.push(plain.ends[end - 1] ?? 0);
    }
    at = end;
  }
  return { text, original: plain.original, starts, ends };
}

function plainCluster(cluster: string): string {
  if (/^\p{Cf}/u.test(cluster)) return '';
  if (/^[\p{Cc}\u2028\u2029]/u.test(cluster)) return ' ';
  if (/^\p{Cs}/u.test(cluster)) return '\ufffd';
  if (dashes.test(cluster)) return '-';
  if (colons.test(cluster)) return ':';
  if (cluster === '\u3001') return ',';
  if (/[\u3008-\u3011]/.test(cluster)) return ' ';
  if (/^\p{Nd}/u.test(cluster)) return String(digitValue(cluster.codePointAt(0) ?? 0));
  const composed = cluster.normalize('NFC');
  return compatibility.test(composed) ? composed.normalize('NFKC') : composed;
}

// In Unicode, the ten digits of a script are consecutive. Some sets follow each other directly, hence the remainder.
function digitValue(codePoint: number): number {
  let before = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(before - 1))) before--;
  return (codePoint - before) % 10;
}

/** Removes case, accents, ligatures, extra spaces, full width: ` １  CRÓNICAS ` becomes `1 cronicas`. */
export function foldName(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

const maxRunLength = 20;
const longRun = new RegExp(String.raw`[\s*]{${maxRunLength + 1},}`, 'gu');

/**
 * Shortens runs of whitespace and asterisks to 20 characters. `originalIndex` maps an index of the result to the
 * original text. Without this, bible-passage-reference-parser takes 1 to 2 s for ten thousand spaces: at each space,
 * its regular expression `^(?:[\s*]*["'][\s*]*|[\s*])+` searches the rest for a quotation mark.
 */
export function shortenBlankRuns(original: string) {
  const cuts: { index: number; removed: number }[] = [];
  let totalRemoved = 0;
  const text = original.replace(longRun, (run, offset: number) => {
    const index = offset - totalRemoved + maxRunLength;
    totalRemoved += run.length - maxRunLength;
    cuts.push({ index, removed: totalRemoved });
    return run.slice(0, maxRunLength);
  });
  return {
    text,
    originalIndex: (index: number): number => index + (cuts.findLast((cut) => cut.index <= index)?.removed ?? 0),
  };
}
