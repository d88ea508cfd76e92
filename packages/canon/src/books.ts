// Code, English name and Spanish name, as readers of the Reina-Valera 1909 cite it. A name must never change, because
// clients send it back to the parser. A position must never change, because data files store it.
const table = [
  ['GEN', 'Genesis', 'Génesis'],
  ['EXO', 'Exodus', 'Éxodo'],
  ['LEV', 'Leviticus', 'Levítico'],
  ['NUM', 'Numbers', 'Números'],
  ['DEU', 'Deuteronomy', 'Deuteronomio'],
  ['JOS', 'Joshua', 'Josué'],
  ['JDG', 'Judges', 'Jueces'],
  ['RUT', 'Ruth', 'Rut'],
  ['1SA', '1 Samuel', '1 Samuel'],
  ['2SA', '2 Samuel', '2 Samuel'],
  ['1KI', '1 Kings', '1 Reyes'],
  ['2KI', '2 Kings', '2 Reyes'],
  ['1CH', '1 Chronicles', '1 Crónicas'],
  ['2CH', '2 Chronicles', '2 Crónicas'],
  ['EZR', 'Ezra', 'Esdras'],
  ['NEH', 'Nehemiah', 'Nehemías'],
  ['EST', 'Esther', 'Ester'],
  ['JOB', 'Job', 'Job'],
  ['PSA', 'Psalms', 'Salmos'],
  ['PRO', 'Proverbs', 'Proverbios'],
  ['ECC', 'Ecclesiastes', 'Eclesiastés'],
  ['SNG', 'Song of Solomon', 'Cantares'],
  ['ISA', 'Isaiah', 'Isaías'],
  ['JER', 'Jeremiah', 'Jeremías'],
  ['LAM', 'Lamentations', 'Lamentaciones'],
  ['EZK', 'Ezekiel', 'Ezequiel'],
  ['DAN', 'Daniel', 'Daniel'],
  ['HOS', 'Hosea', 'Oseas'],
  ['JOL', 'Joel', 'Joel'],
  ['AMO', 'Amos', 'Amós'],
  ['OBA', 'Obadiah', 'Abdías'],
  ['JON', 'Jonah', 'Jonás'],
  ['MIC', 'Micah', 'Miqueas'],
  ['NAM', 'Nahum', 'Nahúm'],
  ['HAB', 'Habakkuk', 'Habacuc'],
  ['ZEP', 'Zephaniah', 'Sofonías'],
  ['HAG', 'Haggai', 'Hageo'],
  ['ZEC', 'Zechariah', 'Zacarías'],
  ['MAL', 'Malachi', 'Malaquías'],
  ['MAT', 'Matthew', 'Mateo'],
  ['MRK', 'Mark', 'Marcos'],
  ['LUK', 'Luke', 'Lucas'],
  ['JHN', 'John', 'Juan'],
  ['ACT', 'Acts', 'Hechos'],
  ['ROM', 'Romans', 'Romanos'],
  ['1CO', '1 Corinthians', '1 Corintios'],
  ['2CO', '2 Corinthians', '2 Corintios'],
  ['GAL', 'Galatians', 'Gálatas'],
  ['EPH', 'Ephesians', 'Efesios'],
  ['PHP', 'Philippians', 'Filipenses'],
  ['COL', 'Colossians', 'Colosenses'],
  ['1TH', '1 Thessalonians', '1 Tesalonicenses'],
  ['2TH', '2 Thessalonians', '2 Tesalonicenses'],
  ['1TI', '1 Timothy', '1 Timoteo'],
  ['2TI', '2 Timothy', '2 Timoteo'],
  ['TIT', 'Titus', 'Tito'],
  ['PHM', 'Philemon', 'Filemón'],
  ['HEB', 'Hebrews', 'Hebreos'],
  ['JAS', 'James', 'Santiago'],
  ['1PE', '1 Peter', '1 Pedro'],
  ['2PE', '2 Peter', '2 Pedro'],
  ['1JN', '1 John', '1 Juan'],
  ['2JN', '2 John', '2 Juan'],
  ['3JN', '3 John', '3 Juan'],
  ['JUD', 'Jude', 'Judas'],
  ['REV', 'Revelation', 'Apocalipsis'],
  ['TOB', 'Tobit', 'Tobías'],
  ['JDT', 'Judith', 'Judit'],
  ['ESG', 'Greek Esther', 'Ester griego'],
  ['WIS', 'Wisdom of Solomon', 'Sabiduría'],
  ['SIR', 'Sirach', 'Eclesiástico'],
  ['BAR', 'Baruch', 'Baruc'],
  ['LJE', 'Letter of Jeremiah', 'Carta de Jeremías'],
  ['DAG', 'Greek Daniel', 'Daniel griego'],
  ['S3Y', 'Prayer of Azariah', 'Oración de Azarías'],
  ['SUS', 'Susanna', 'Susana'],
  ['BEL', 'Bel and the Dragon', 'Bel y el Dragón'],
  ['1MA', '1 Maccabees', '1 Macabeos'],
  ['2MA', '2 Maccabees', '2 Macabeos'],
  ['3MA', '3 Maccabees', '3 Macabeos'],
  ['4MA', '4 Maccabees', '4 Macabeos'],
  ['1ES', '1 Esdras', '1 Esdras'],
  ['2ES', '2 Esdras', '2 Esdras'],
  ['MAN', 'Prayer of Manasseh', 'Oración de Manasés'],
  ['PS2', 'Psalm 151', 'Salmo 151'],
] as const;

/** A USFM code in capitals, https://ubsicap.github.io/usfm/identification/books.html. */
export type BookCode = (typeof table)[number][0];
/** The testament. `DC` stands for the deuterocanonical books, which are in neither testament. */
export type TestamentCode = 'OT' | 'NT' | 'DC';

export interface Book {
  code: BookCode;
  /** The position in every translation: 1 (Genesis) to 66 (Revelation), then the deuterocanonical books. */
  position: number;
  testament: TestamentCode;
  /** Whether the book has only one chapter, such as Jude. Then "Jude 5" means verse 5. */
  singleChapter: boolean;
}

const oldTestamentSize = 39;
const protestantSize = 66;
const singleChapterCodes: ReadonlySet<string> = new Set('OBA PHM 2JN 3JN JUD LJE S3Y SUS BEL MAN PS2'.split(' '));

function testamentOf(index: number): TestamentCode {
  if (index >= protestantSize) return 'DC';
  return index < oldTestamentSize ? 'OT' : 'NT';
}

/** All books. The position of a book is its index plus 1. */
export const allBooks: readonly Book[] = table.map(([code], index) => ({
  code,
  position: index + 1,
  testament: testamentOf(index),
  singleChapter: singleChapterCodes.has(code),
}));

/** The 66 books in canonical order. */
export const books: readonly Book[] = allBooks.slice(0, protestantSize);

/** The deuterocanonical books, which most translations lack. */
export const deuterocanonicalBooks: readonly Book[] = allBooks.slice(protestantSize);

const byCode: ReadonlyMap<string, Book> = new Map(allBooks.map((book) => [book.code, book]));

export function bookByCode(code: BookCode): Book;
/** Returns the book with a USFM code in capitals, such as "GEN", or null. `findBook` also takes names. */
export function bookByCode(code: string): Book | null;
export function bookByCode(code: string): Book | null {
  return byCode.get(code) ?? null;
}

export const isBookCode = (text: string): text is BookCode => byCode.has(text);

export const isDeuterocanonical = (code: BookCode): boolean => bookByCode(code).testament === 'DC';

export const bookNames: Readonly<Record<'eng' | 'spa', ReadonlyMap<BookCode, string>>> = {
  eng: new Map(table.map(([code, english]) => [code, english])),
  spa: new Map(table.map(([code, , spanish]) => [code, spanish])),
};

/** Returns the name of a book in responses: in Spanish for the language `spa` (ISO 639-3), otherwise in English. */
export const bookName = (code: BookCode, language: string): string =>
  bookNames[language === 'spa' ? 'spa' : 'eng'].get(code) ?? code;
