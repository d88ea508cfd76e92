const latinConsonants = 'ʾbgdhwzḥṭykklmmnnsʿppṣṣqršt';
const consonants = new Map([...'אבגדהוזחטיכךלמםנןסעפףצץקרשת'].map((letter, index) => [letter, latinConsonants[index]]));

const shewa = '\u05b0';
const hatafQamats = '\u05b3';
const patah = '\u05b7';
const qamats = '\u05b8';
const holam = '\u05b9';
const vowels: Readonly<Record<string, string>> = {
  '\u05b1': 'ĕ',
  '\u05b2': 'ă',
  [hatafQamats]: 'ŏ',
  '\u05b4': 'i',
  '\u05b5': 'ē',
  '\u05b6': 'e',
  [patah]: 'a',
  [qamats]: 'ā',
  [holam]: 'ō',
  '\u05ba': 'ō',
  '\u05bb': 'u',
  '\u05c7': 'o',
};
const longVowels = /[āēōâêîôû]$/;
const vowelMarks = /[\u05b0-\u05bb\u05c7]/;

/** Matches the accents that mark the stressed syllable. All others are written at the start or end of a word. */
const stressMarks = /[\u0591\u0593-\u0597\u059b\u059c\u059e\u059f\u05a1\u05a3-\u05a8\u05aa-\u05ac]/;

interface Letter {
  readonly base: string;
  readonly latin: string;
  readonly vowel: string;
  /** Whether a hiriq, read with a yod, follows the vowel on the same letter, as in the Hebrew name of Jerusalem. */
  readonly hasSecondHiriq: boolean;
  readonly hasDagesh: boolean;
  readonly hasMeteg: boolean;
  readonly isStressed: boolean;
  /** Whether a new segment begins at this letter. */
  readonly isSeam: boolean;
}

/**
 * The academic style of the SBL Handbook, second edition: ə for a vocal shewa, o for a qamats hatuf, doubled letters
 * for a dagesh forte, circumflexes for vowel letters. `/` separates segments. The parsing code helps to distinguish a
 * qamats hatuf from a qamats. Without points, returns only the consonants.
 */
export function transliterateHebrew(surface: string, code = ''): string {
  const letters = readLetters(surface);
  let result = '';
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index] as Letter;
    const vowelLetter = vowelLetterAt(letters, index, result);
    if (vowelLetter !== null) {
      result = vowelLetter;
      continue;
    }
    const latin = isDoubled(letters, index) ? letter.latin.repeat(2) : letter.latin;
    const vowel = vowelOf(letters, index, { code, before: result });
    result += isFurtive(letters, index) ? `a${latin}` : latin + vowel + (letter.hasSecondHiriq ? 'i' : '');
  }
  return result;
}

function readLetters(surface: string): Letter[] {
  const letters: Letter[] = [];
  let isSeam = false;
  /** Whether the previous letter is a shin or sin with its dot. */
  let isDotted = false;
  for (const [cluster] of surface.normalize('NFD').matchAll(/\P{M}\p{M}*/gu)) {
    const base = cluster.charAt(0);
    const hadDot = isDotted;
    isDotted = /[\u05c1\u05c2]/.test(cluster);
    if (base === '/') isSeam = true;
    // A second shin without a dot is silent. This occurs only in the name Issachar.
    if (base === '/' || (base === 'ש' && hadDot && !isDotted)) continue;
    const hasSecondHiriq = /^[^\u05b4]*\u05b4.*[\u05b7\u05b8]/.test(cluster);
    letters.push({
      base,
      latin: cluster.includes('\u05c2') ? 'ś' : (consonants.get(base) ?? base),
      vowel: (hasSecondHiriq ? /[\u05b7\u05b8]/ : vowelMarks).exec(cluster)?.[0] ?? '',
      hasSecondHiriq,
      hasDagesh: cluster.includes('\u05bc'),
      hasMeteg: cluster.includes('\u05bd'),
      isStressed: stressMarks.test(cluster),
      isSeam,
    });
    isSeam = false;
  }
  return letters;
}

const hasFullVowel = (letter: Letter | undefined): boolean =>
  letter !== undefined && letter.vowel !== '' && letter.vowel !== shewa;

/** Returns the text up to and including a letter that only lengthens the vowel before it. Null for other letters. */
function vowelLetterAt(letters: readonly Letter[], index: number, before: string): string | null {
  const { base, vowel, hasDagesh } = letters[index] as Letter;
  const previous = letters[index - 1];
  const isLast = index === letters.length - 1;
  if (base === 'ו' && vowel === '' && hasDagesh && !hasFullVowel(previous)) return `${withoutShewa(before, previous)}û`;
  if (
    base === 'ו' &&
    vowel === holam &&
    !hasDagesh &&
    previous &&
    !hasFullVowel(previous) &&
    previous.vowel === '' &&
    !/[âêîôû]$/.test(before)
  )
    return `${before}ô`;
  if (vowel !== '' || hasDagesh || !previous) return null;
  if (base === 'ו' && before.endsWith('ō')) return `${before.slice(0, -1)}ô`;
  if (base === 'י' && /[iēe]$/.test(before)) return before.slice(0, -1) + (before.endsWith('i') ? 'î' : 'ê');
  if (base === 'ה' && isLast && before.endsWith('ā')) return `${before.slice(0, -1)}â`;
  return null;
}

const withoutShewa = (before: string, previous: Letter | undefined): string =>
  previous?.vowel === shewa ? before.replace(/ə$/, '') : before;

const isBegadkefat = (letter: Letter): boolean => /[בגדכךפףת]/.test(letter.base);

/** A letter with a dagesh is doubled after a vowel. Elsewhere the letter is only hardened. */
function isDoubled(letters: readonly Letter[], index: number): boolean {
  const { base, hasDagesh, vowel } = letters[index] as Letter;
  const previous = letters[index - 1];
  if (!hasDagesh || !previous || base === 'ה' || base === 'א') return false;
  if (index === letters.length - 1 && vowel === '' && base !== 'ו') return false;
  // An aleph without a vowel is silent, as in rāʾšîm.
  const isAfterAleph = previous.base === 'א' && previous.vowel === '' && hasFullVowel(letters[index - 2]);
  const isAfterVowel = hasFullVowel(previous) || isVowelLetter(letters, index - 1) || isAfterAleph;
  return isAfterVowel && !(isBegadkefat(letters[index] as Letter) && vowel === shewa && index === letters.length - 1);
}

function isVowelLetter(letters: readonly Letter[], index: number): boolean {
  const { base, vowel, hasDagesh } = letters[index] as Letter;
  const previous = letters[index - 1];
  if (base === 'ו')
    return (
      (vowel === '' && hasDagesh && !hasFullVowel(previous)) ||
      (vowel === holam && !hasFullVowel(previous) && index > 0)
    );
  return (base === 'י' || base === 'ה') && vowel === '' && !hasDagesh && hasFullVowel(previous);
}

/** Returns whether the patah of a final guttural is spoken before its letter, as in rûaḥ. */
function isFurtive(letters: readonly Letter[], index: number): boolean {
  const { base, vowel, hasDagesh } = letters[index] as Letter;
  const isGuttural = base === 'ח' || base === 'ע' || (base === 'ה' && hasDagesh);
  if (!isGuttural || vowel !== patah || index !== letters.length - 1 || index === 0) return false;
  return hasFullVowel(letters[index - 1]) || isVowelLetter(letters, index - 1);
}

function vowelOf(letters: readonly Letter[], index: number, context: { code: string; before: string }): string {
  const { vowel } = letters[index] as Letter;
  if (vowel === shewa) return isVocal(letters, index, context) ? 'ə' : '';
  if (vowel === qamats) return isQamatsHatuf(letters, index, context.code) ? 'o' : 'ā';
  return vowels[vowel] ?? '';
}

function isVocal(letters: readonly Letter[], index: number, { before }: { before: string }): boolean {
  const letter = letters[index] as Letter;
  const previous = letters[index - 1];
  const next = letters[index + 1];
  if (!previous) return true;
  if (isWordEnd(letters, index + 1)) return false;
  if (isDoubled(letters, index)) return true;
  if (previous.vowel === shewa && !before.endsWith('ə')) return true;
  if (next && isBegadkefat(next) && next.hasDagesh) return false;
  if (next?.base === letter.base && hasFullVowel(previous)) return true;
  if (letter.isSeam && previous.vowel === patah) return true;
  const isAfterAleph = previous.base === 'א' && previous.vowel === '';
  const syllable = isAfterAleph || isVowelLetter(letters, index - 1) ? letters[index - 2] : previous;
  const isStressed = syllable?.isStressed || previous.isStressed;
  return longVowels.test(before.replace(/ʾ$/, '')) && (previous.hasMeteg || !isStressed);
}

/** Returns whether no letter from `index` on has a vowel, as with the last two letters of wayyēbk. */
const isWordEnd = (letters: readonly Letter[], index: number): boolean =>
  letters.slice(index).every((each, offset) => !hasFullVowel(each) && !isVowelLetter(letters, index + offset));

/** Returns whether a qamats is a short o (qamats hatuf), as far as the spelling and the parsing code show this. */
function isQamatsHatuf(letters: readonly Letter[], index: number, code: string): boolean {
  const letter = letters[index] as Letter;
  const next = letters[index + 1];
  if (!next) return false;
  if (next.vowel === hatafQamats && !next.isSeam) return true;
  const isSegmentStart = index === 0 || letter.isSeam;
  if (isSegmentStart && letter.base === 'כ' && next.base === 'ל' && next.vowel === '' && index === letters.length - 2)
    return true;
  if (letter.hasMeteg || letter.isStressed || next.isSeam) return false;
  const afterNext = letters[index + 2];
  const isAccented = letters.some(({ isStressed }) => isStressed);
  if (next.vowel === shewa && afterNext) {
    if (afterNext.isSeam || isWordEnd(letters, index + 2)) return false;
    if (isBegadkefat(afterNext) && afterNext.hasDagesh) return true;
    if (code.startsWith('A')) return false;
    // Parts that begin with S are suffixes.
    const verb = /V(.)(.)/.exec(code.split('/').findLast((part) => !part.startsWith('S')) ?? '');
    return !verb || verb[1] === 'H' || /[vhca]/.test(verb[2] ?? '');
  }
  if (next.hasDagesh && next.vowel !== '' && next.base !== 'ה')
    return isAccented && next.base !== 'ת' && !isVowelLetter(letters, index + 1);
  // In a form such as wayyāqom, the last syllable is not stressed.
  const isLastSyllable = index === letters.length - 2 && next.vowel === '' && !/[אהוי]/.test(next.base);
  const isStressedBefore = letters.slice(0, index).some(({ isStressed }) => isStressed);
  return isLastSyllable && isStressedBefore && /V.w/.test(code.slice(code.lastIndexOf('/') + 1));
}
