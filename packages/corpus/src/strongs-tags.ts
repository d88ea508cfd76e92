// How many words Strong numbered. Higher numbers are corrections ("G11537") or codes of grammar that some files mix in.
const last: Readonly<Record<string, number>> = { G: 5624, H: 8674 };

/** G26, H2617 ... out of a `lemma` such as "strong:G4314 G0846"; anything that is no Strong's number is passed over. */
export function parseStrongs(lemma: string): string[] {
  const numbers: string[] = [];
  for (const part of lemma.split(/[\s|&,;]+/)) {
    const match = /^(?:strongs?:)?([GH])0*([1-9]\d{0,4})[a-z]?$/i.exec(part);
    const letter = match?.[1]?.toUpperCase() ?? '';
    if (!match || Number(match[2]) > (last[letter] ?? 0)) continue;
    const number = `${letter}${match[2]}`;
    if (!numbers.includes(number)) numbers.push(number);
  }
  return numbers;
}
