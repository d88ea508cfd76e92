import type { BookCode } from './books';

// A book name that the package bible-passage-reference-parser does not know or reads wrongly. It tries added names
// before its own names, unless `insert_at` is `end`.
interface AddedName {
  /** The name of the book in the package, such as `1John`. */
  osis: string[];
  regexp: RegExp;
  /** Where the package adds the name. `end` makes it read `Cantar de los Cantares` as a whole, not only `Cantar`. */
  insert_at?: string;
}

/** The two USFM codes that the package does not know. It knows those of the other 64 books. */
export const codeNames: AddedName[] = [
  { osis: ['Joel'], regexp: /JOL/ },
  { osis: ['Nah'], regexp: /NAM/ },
];

// The ways to write "first", "second" and "third": 1, 1a, 1ra, 1.º (which `normalizeText` turns
// into 1.o), I, First, Primera.
const ordinals = [
  String.raw`1(?:\.?\s*(?:a|o|ra|ro|er|era|ero))?|I|First|Primer[ao]?`,
  String.raw`2(?:\.?\s*(?:a|o|da|do|nda|ndo))?|II|Second|Segund[ao]`,
  String.raw`3(?:\.?\s*(?:a|o|ra|ro|er|era|ero))?|III|Third|Tercer[ao]?`,
];

// Words between the ordinal and the name: "First [Epistle of] John", "Primera [carta a los] Corintios".
const kind = String.raw`(?:epistle|letter|book|ep[ií]stola|carta|libro)`;
const article = String.raw`(?:the|l[ao]s|la|San|Saint|St\.?)`;
const connection = String.raw`(?:(?:${kind}\s+(?:of|to|de|a)|de|a)\s+)?(?:${article}\s+)?`;
// "3 de Juan" is the third letter of John, but "Capítulo 3 de Juan" is John 3. The look-behind allows at most 9
// whitespace characters, because without this limit its time grows with the square of their number.
const notChapter = String.raw`(?<!(?:chapters?|chs?|cap[ií]tulos?|caps?)\.?\s{0,9})`;

/** The books with a number: the package's stem, how many there are, and a pattern of their names. */
const numberedBooks: readonly (readonly [stem: string, count: number, names: string])[] = [
  ['Sam', 2, 'Samuel'],
  ['Kgs', 2, 'Kings|Reyes'],
  ['Chr', 2, 'Chronicles|Cr[oó]nicas'],
  ['Cor', 2, 'Corinthians|Corintios'],
  ['Thess', 2, 'Thessalonians|Tesalonicenses'],
  ['Tim', 2, 'Timothy|Timoteo'],
  ['Pet', 2, 'Peter|Pedro'],
  ['John', 3, 'John|Juan|Jn'],
];

/**
 * Names and abbreviations as people say them: `1ra Juan`, `Primera de Juan`, `1ª a los Corintios`, `First Epistle of
 * John`, `Canticles`, `Ose`. Without them, the package reads `1ra Juan 4` as John 4, and `Primera de Juan 4` as
 * Deuteronomy ("de") and John 4.
 */
export const spokenNames: AddedName[] = [
  ...numberedBooks.flatMap(([stem, count, names]) =>
    ordinals.slice(0, count).map((ordinal, index) => ({
      osis: [`${index + 1}${stem}`],
      regexp: new RegExp(String.raw`${notChapter}(?:${ordinal})\.?\s*${connection}(?:${names})`),
    })),
  ),
  { osis: ['Matt'], regexp: /(?:S\.|St\.?|Saint)\s*(?:Mateo|Matthew)/ },
  { osis: ['Mark'], regexp: /(?:S\.|St\.?|Saint)\s*(?:Marcos|Mark)/ },
  { osis: ['Luke'], regexp: /(?:S\.|St\.?|Saint)\s*(?:Lucas|Luke)/ },
  { osis: ['John'], regexp: /(?:S\.|St\.?|Saint)\s*(?:Juan|John)/ },
  { osis: ['Song'], regexp: /Canticles?(?:\s+of\s+Canticles)?|Cant\.?\s+de\s+los\s+Cantares/ },
  { osis: ['Rev'], regexp: /The\s+Apocalypse/ },
  { osis: ['Song'], regexp: /Cantar/, insert_at: 'end' },
  { osis: ['Hos'], regexp: /Ose/, insert_at: 'end' },
];

const maccabees = (number: string): string => String.raw`(?:${number})\s*(?:Macc(?:abees)?|Mac(?:abeos)?|Mc?|MA)`;
const esdras = (number: string): string => String.raw`(?:${number})\s*(?:Esd(?:ras)?|ES)`;

/** The code, the package's name, and a pattern of names and abbreviations. `Esdras` alone is Ezra. */
const deuterocanonTable: readonly (readonly [code: BookCode, osis: string, written: string])[] = [
  ['TOB', 'Tob', 'Tobit|Tob[ií]as|Tob|Tb'],
  ['JDT', 'Jdt', 'Judith?|Jdt'],
  [
    'ESG',
    'GkEsth',
    String.raw`Greek\s+Esther|Esther\s+\(Greek\)|Additions\s+to\s+Esther|Est(?:h?er)?\s+griego|ESG|Add\.?\s+Esth?(?:er)?`,
  ],
  ['WIS', 'Wis', String.raw`Wisdom(?:\s+of\s+Solomon)?|Wis|Sabidur[ií]a|Sab`],
  ['SIR', 'Sir', '(?:Jesus\\s+)?Sirach|Sir|Ecclesiasticus|Ecclus|Eclesi[aá]stico|Eclo|Sir[aá]cida'],
  ['BAR', 'Bar', 'Baruch?|Bar'],
  ['LJE', 'EpJer', String.raw`(?:Letter|Epistle|Carta)\s+(?:of|de)\s+Jerem(?:iah|[ií]as)|LJE`],
  ['DAG', 'GkDan', String.raw`Greek\s+Daniel|Daniel\s+\(Greek\)|Daniel\s+griego|DAG`],
  [
    'S3Y',
    'PrAzar',
    String.raw`Prayer\s+of\s+Azariah|Oraci[oó]n\s+de\s+Azar[ií]as|Song\s+of\s+the\s+Three(?:\s+\p{L}+){0,2}|S3Y`,
  ],
  ['SUS', 'Sus', 'Susanna|Susana|Sus'],
  ['BEL', 'Bel', String.raw`Bel(?:\s+(?:and\s+the\s+Dragon|y\s+el\s+Drag[oó]n))?`],
  ['1MA', '1Macc', maccabees('1|I')],
  ['2MA', '2Macc', maccabees('2|II')],
  ['3MA', '3Macc', maccabees('3|III')],
  ['4MA', '4Macc', maccabees('4|IV')],
  ['1ES', '1Esd', esdras('1|I')],
  ['2ES', '2Esd', esdras('2|II')],
  ['MAN', 'PrMan', String.raw`Prayer\s+of\s+Manass(?:eh|es)|Oraci[oó]n\s+de\s+Manas[eé]s|MAN`],
  // Matches "Psalm 151 1:2", the form in responses. The package itself reads "Psalm 151:2".
  ['PS2', 'Ps151', String.raw`PS2|(?:Psalm|Salmo)\s+151(?=\s+1(?!\d))`],
];

export const deuterocanonicalNames: readonly AddedName[] = deuterocanonTable.map(([, osis, written]) => ({
  osis: [osis],
  regexp: new RegExp(written),
}));

/** The codes of the deuterocanonical books, by the package's names. It has two names for the Prayer of Azariah. */
export const deuterocanonicalOsis: readonly (readonly [osis: string, code: BookCode])[] = [
  ...deuterocanonTable.map(([code, osis]) => [osis, code] as const),
  ['SgThree', 'S3Y'],
];
