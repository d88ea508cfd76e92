const latinLetters = 'a b g d e z ē th i k l m n x o p r s s t y ph ch ps ō'.split(' ');
const letters = new Map([...'αβγδεζηθικλμνξοπρσςτυφχψω'].map((letter, index) => [letter, latinLetters[index]]));
const rough = '\u0314';
const diaeresis = '\u0308';
const iotaSubscript = '\u0345';

/**
 * Transliterates in the academic style of the SBL Handbook: ē and ō for eta and omega, h for a rough breathing, u for
 * upsilon in a diphthong, n for gamma before a velar, an ogonek for an iota subscript. Leaves out accents and smooth
 * breathings, and keeps other characters.
 */
export function transliterateGreek(text: string): string {
  const clusters = Array.from(text.normalize('NFD').matchAll(/(\P{M})(\p{M}*)/gu), ([, letter = '', marks = '']) => ({
    letter,
    base: letter.toLowerCase(),
    marks,
  }));
  let result = '';
  for (const [index, { letter, base, marks }] of clusters.entries()) {
    const before = clusters[index - 1];
    const next = clusters[index + 1];
    const isSecondOfDiphthong = (each: typeof before, first: typeof before): boolean =>
      each !== undefined && !each.marks.includes(diaeresis) && isDiphthong(`${first?.base}${each.base}`);
    let latin = letters.get(base) ?? letter;
    if (base === 'γ' && next && 'γκξχ'.includes(next.base)) latin = 'n';
    if (
      base === 'υ' &&
      (isSecondOfDiphthong({ letter, base, marks }, before) || (next?.base === 'ι' && !next.marks.includes(diaeresis)))
    )
      latin = 'u';
    if (marks.includes(diaeresis)) latin += diaeresis;
    if (marks.includes(iotaSubscript)) latin = latin.normalize('NFD').replace(/^./, '$&\u0328');
    // In a diphthong, the breathing is written on the second letter.
    const isRough = isSecondOfDiphthong(next, clusters[index]) ? next?.marks.includes(rough) : marks.includes(rough);
    if (base === 'ρ' && marks.includes(rough)) latin = 'rh';
    else if (isRough && !(isSecondOfDiphthong({ letter, base, marks }, before) && before)) latin = `h${latin}`;
    result += letter === base ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
  }
  return result.normalize('NFC');
}

const isDiphthong = (pair: string): boolean => /^(?:[αεο]ι|υι|[αεηο]υ)$/.test(pair);
