// Book names that the package bible-passage-reference-parser does not know or misreads. The package
// tries added names before its own names, unless `insert_at` is `end`.
interface AddedName {
  /** The package's name of the book, such as `1John`. */
  osis: string[];
  regexp: RegExp;
  /** With `end`, `Cantar de los Cantares` is read as a whole, not only the word `Cantar`. */
  insert_at?: string;
}

/** Names for the two USFM codes that the package does not know. It knows the codes of the other 64 books. */
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

// Between the ordinal and the name: "First [Epistle of] John", "Primera [carta a los] Corintios".
const kind = String.raw`(?:epistle|letter|book|ep[ií]stola|carta|libro)`;
const article = String.raw`(?:the|l[ao]s|la|San|Saint|St\.?)`;
const connection = String.raw`(?:(?:${kind}\s+(?:of|to|de|a)|de|a)\s+)?(?:${article}\s+)?`;
// "3 de Juan" is the third letter of John, but "Capítulo 3 de Juan" is John 3. At most 9 whitespace
// characters are allowed here, because a look-behind over any number of them takes quadratic time
// in a text of whitespace.
const notChapter = String.raw`(?<!(?:chapters?|chs?|cap[ií]tulos?|caps?)\.?\s{0,9})`;

/**
 * The books whose names begin with a number: the package's name without the number, the number of
 * these books, and a part of a regular expression for the names without their number.
 */
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
 * Book names as people say and abbreviate them: `1ra Juan`, `Primera de Juan`, `1ª a los
 * Corintios`, `First Epistle of John`, `Canticles`, `Ose`. Without these names, the package reads
 * `1ra Juan 4` as John 4, and `Primera de Juan 4` as Deuteronomy ("de") and John 4.
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

// Books that Lectern does not have, by their English and Spanish names and abbreviations. `Esdras`
// alone is Ezra.
const deuterocanon: readonly (readonly [name: string, written: string])[] = [
  ['Tobit', 'Tobit|Tob[ií]as|Tob|Tb'],
  ['Judith', 'Judith?|Jdt'],
  ['Wisdom of Solomon', String.raw`Wisdom(?:\s+of\s+Solomon)?|Wis|Sabidur[ií]a|Sab`],
  ['Sirach', 'Sirach|Sir|Ecclesiasticus|Ecclus|Eclesi[aá]stico|Eclo|Sir[aá]cida'],
  ['Baruch', 'Baruch?|Bar'],
  ['Letter of Jeremiah', String.raw`(?:Letter|Epistle|Carta)\s+(?:of|de)\s+Jerem(?:iah|[ií]as)`],
  ['Prayer of Azariah', String.raw`Prayer\s+of\s+Azariah`],
  ['Prayer of Manasseh', String.raw`Prayer\s+of\s+Manasseh`],
  ['Susanna', 'Susanna|Susana'],
  ['Bel and the Dragon', String.raw`Bel\s+(?:and\s+the\s+Dragon|y\s+el\s+Drag[oó]n)`],
  ...['1|I', '2|II', '3|III', '4|IV'].map(
    (ordinal, index) =>
      [`${index + 1} Maccabees`, String.raw`(?:${ordinal})\s*(?:Macc(?:abees)?|Mac(?:abeos)?|Mc?)`] as const,
  ),
  ...['1|I', '2|II'].map(
    (ordinal, index) => [`${index + 1} Esdras`, String.raw`(?:${ordinal})\s*Esd(?:ras)?`] as const,
  ),
];

/** Returns the English name of the deuterocanonical book with which a text begins, or null. */
export const deuterocanonicalBook = (text: string): string | null =>
  deuterocanon.find(([, written]) =>
    new RegExp(String.raw`^(?:the\s+)?(?:${written})\.?(?![\p{L}])`, 'iu').test(text),
  )?.[0] ?? null;
