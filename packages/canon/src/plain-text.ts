/** A text made plain for the parser, with the way back: the range of each of its UTF-16 units in the text as it was sent. */
export interface PlainText {
  text: string;
  original: string;
  starts: readonly number[];
  ends: readonly number[];
}

// Compatibility forms that people paste into references. NFKC of everything would break other scripts (Thai sara am, for one).
const compatibility = /[\u00aa\u00ba\u2160-\u2188\ufb00-\ufb06\ufe50-\ufe6f\uff01-\uffef\u{1d400}-\u{1d7ff}\p{Zs}]/u;
const dashes = /[\u2010-\u2015\u2212\u02d7\ufe58\ufe63\uff0d]/u;
const colons = /[\u2236\ua789\u02d0]/u;

/** Width, dashes, blanks, foreign digits and accents made regular, invisible marks dropped, case kept. */
export function plainText(original: string): PlainText {
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

/** The range in the text as it was sent of a range of the plain text. */
export function originalRange(plain: PlainText, start: number, end: number): { start: number; end: number } {
  return { start: plain.starts[start] ?? plain.original.length, end: plain.ends[end - 1] ?? 0 };
}

function plainCluster(cluster: string): string {
  if (/^\p{Cf}/u.test(cluster)) return '';
  if (/^[\p{Cc}\u2028\u2029]/u.test(cluster)) return ' ';
  if (/^\p{Cs}/u.test(cluster)) return '\ufffd';
  if (dashes.test(cluster)) return '-';
  if (colons.test(cluster)) return ':';
  if (cluster === '\u3001') return ',';
  if (/^\p{Nd}/u.test(cluster)) return String(digitValue(cluster.codePointAt(0) ?? 0));
  const composed = cluster.normalize('NFC');
  return compatibility.test(composed) ? composed.normalize('NFKC') : composed;
}

// Unicode keeps the ten digits of a script together and in order, so a digit's value is its distance from the run's beginning.
function digitValue(codePoint: number): number {
  let before = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(before - 1))) before--;
  return (codePoint - before) % 10;
}
