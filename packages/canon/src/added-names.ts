// Names that the reference parser does not know or takes for something else. It lifts a pattern of ours before its own.

interface AddedName {
  osis: string[];
  regexp: RegExp;
  /** `end`: only where no name of the parser's own fits, so that Cantar leaves Cantar de los Cantares whole. */
  insert_at?: string;
}

/** USFM codes: of the 66 only these two are strange to it. */
export const codeAliases: AddedName[] = [
  { osis: ['Joel'], regexp: /JOL/ },
  { osis: ['Nah'], regexp: /NAM/ },
];

const ordinals = [
  String.raw`1(?:\.?\s*(?:a|o|ra|ro|er|era|ero))?|I|First|Primer[ao]?`,
  String.raw`2(?:\.?\s*(?:a|o|da|do|nda|ndo))?|II|Second|Segund[ao]`,
  String.raw`3(?:\.?\s*(?:a|o|ra|ro|er|era|ero))?|III|Third|Tercer[ao]?`,
];

const kind = String.raw`(?:epistle|letter|book|ep[ií]stola|carta|libro)`;
const article = String.raw`(?:the|l[ao]s|la|San|Saint|St\.?)`;
const joint = String.raw`(?:(?:${kind}\s+(?:of|to|de|a)|de|a)\s+)?(?:${article}\s+)?`;
// "Capítulo 3 de Juan" is the third chapter of John, not the third letter. The blanks are bounded: a text may be made of them.
const notChapter = String.raw`(?<!(?:chapters?|chs?|cap[ií]tulos?|caps?)\.?\s{0,9})`;

// [numbered book's OSIS stem, how many there are, its base names]
const families: readonly (readonly [string, number, string])[] = [
  ['Sam', 2, 'Samuel'],
  ['Kgs', 2, 'Kings|Reyes'],
  ['Chr', 2, 'Chronicles|Cr[oó]nicas'],
  ['Cor', 2, 'Corinthians|Corintios'],
  ['Thess', 2, 'Thessalonians|Tesalonicenses'],
  ['Tim', 2, 'Timothy|Timoteo'],
  ['Pet', 2, 'Peter|Pedro'],
  ['John', 3, 'John|Juan|Jn'],
];

/** `1ra Juan`, `Primera de Juan`, `1ª a los Corintios`, `First Epistle of John`, `I Juan`: an ordinal, said in full or not. */
export const spokenNames: AddedName[] = [
  ...families.flatMap(([stem, count, names]) =>
    ordinals.slice(0, count).map((ordinal, index) => ({
      osis: [`${index + 1}${stem}`],
      regexp: new RegExp(String.raw`${notChapter}(?:${ordinal})\.?\s*${joint}(?:${names})`),
    })),
  ),
  { osis: ['Matt'], regexp: /(?:S\.|St\.?|Saint)\s*(?:Mateo|Matthew)/ },
  { osis: ['Mark'], regexp: /(?:S\.|St\.?|Saint)\s*(?:Marcos|Mark)/ },
  { osis: ['Luke'], regexp: /(?:S\.|St\.?|Saint)\s*(?:Lucas|Luke)/ },
  { osis: ['John'], regexp: /(?:S\.|St\.?|Saint)\s*(?:Juan|John)/ },
  { osis: ['Song'], regexp: /Canticles?(?:\s+of\s+Canticles)?/ },
  { osis: ['Song'], regexp: /Cantar/, insert_at: 'end' },
  { osis: ['Hos'], regexp: /Ose/, insert_at: 'end' },
];
