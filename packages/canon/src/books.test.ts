import { createNames } from './book-names';
import {
  allBooks,
  type BookCode,
  bookByCode,
  bookName,
  books,
  deuterocanonicalBooks,
  findBook,
  foldName,
  isBookCode,
} from './index';

test('the list `books` has the 66 books of the Bible in canonical order, the first 39 in the Old Testament', () => {
  expect(books).toHaveLength(66);
  expect(books.map((book) => book.position)).toEqual(Array.from({ length: 66 }, (_, index) => index + 1));
  expect(books.filter((book) => book.testament === 'OT')).toHaveLength(39);
  expect([books[0]?.code, books[38]?.code, books[39]?.code, books[65]?.code]).toEqual(['GEN', 'MAL', 'MAT', 'REV']);
  expect(books.filter((book) => book.singleChapter).map((book) => book.code)).toEqual([
    'OBA',
    'PHM',
    '2JN',
    '3JN',
    'JUD',
  ]);
});

test('bookByCode and isBookCode accept only the codes of Bible books, in capital letters', () => {
  expect(bookByCode('JHN')).toEqual({ code: 'JHN', position: 43, testament: 'NT', singleChapter: false });
  expect(isBookCode('JHN')).toBe(true);
  for (const text of ['jhn', 'GLO', 'John', ''])
    expect([text, bookByCode(text), isBookCode(text)]).toEqual([text, null, false]);
});

const names = (code: BookCode) => [bookName(code, 'eng'), bookName(code, 'spa'), bookName(code, 'fra')];

test('bookName returns the Spanish name of a book for Spanish, and the English name for any other language', () => {
  expect(names('PSA')).toEqual(['Psalms', 'Salmos', 'Psalms']);
  expect(names('SNG')).toEqual(['Song of Solomon', 'Cantares', 'Song of Solomon']);
  expect(names('RUT')[1]).toBe('Rut');
  expect(names('LAM')[1]).toBe('Lamentaciones');
  expect(names('NAM')[1]).toBe('Nahúm');
  expect(names('HAG')[1]).toBe('Hageo');
  expect(names('MAT')[1]).toBe('Mateo');
  expect(names('PHM')[1]).toBe('Filemón');
  expect(names('REV')).toEqual(['Revelation', 'Apocalipsis', 'Revelation']);
  for (const language of ['eng', 'spa']) {
    expect(new Set(books.map(({ code }) => bookName(code, language))).size).toBe(66);
  }
});

test('foldName, which makes book names comparable, ignores letter case, accents, full-width forms and extra whitespace', () => {
  expect(foldName('  GÉNESIS ')).toBe('genesis');
  expect(foldName('１  Crónicas')).toBe('1 cronicas');
  expect(foldName('E\u0301xodo')).toBe(foldName('ÉXODO'));
});

test('findBook finds each book by its code, its English name and its Spanish name, regardless of case and accents', () => {
  for (const { code } of books) {
    for (const name of [code, bookName(code, 'eng'), bookName(code, 'spa')]) {
      for (const text of [
        name,
        name.toUpperCase(),
        name.toLowerCase(),
        foldName(name),
        ` ${name}. `,
        name.normalize('NFD'),
      ]) {
        expect([text, findBook(text, 'eng')?.code]).toEqual([text, code]);
        expect([text, findBook(text, 'spa')?.code]).toEqual([text, code]);
      }
    }
  }
});

const aliases: [BookCode, string][] = [
  ['GEN', 'Ge|Gn|Gen.|Gén|1 Mose|Genèse'],
  ['EXO', 'Ex|Exod|Éx'],
  ['LEV', 'Lv'],
  ['NUM', 'Nm|Nu'],
  ['DEU', 'Dt|Deut'],
  ['JOS', 'Josh'],
  ['JDG', 'Jue|Judg'],
  ['RUT', 'Ru|Rt|Ruth'],
  ['1SA', '1 S|1Sam|I Samuel|Primero de Samuel'],
  ['2KI', '2 R|2 Kgs|II Reyes|Second Kings'],
  ['1CH', '1 Cr|1 Chr|1ra Crónicas'],
  ['EST', 'Ester'],
  ['PSA', 'Psalm|Ps|Salmo|Sal|Psaume'],
  ['PRO', 'Prov|Pr'],
  ['SNG', 'Song of Songs|Cantar de los Cantares|El Cantar de los Cantares|Cantar|Canticles|Cnt|SS'],
  ['LAM', 'Lm'],
  ['EZK', 'Ez|Ezek'],
  ['HOS', 'Os|Ose'],
  ['JOL', 'Jl|Joe'],
  ['NAM', 'Nah|Nahum'],
  ['MAT', 'Mt|San Mateo|St. Matthew|Matthäus'],
  ['MRK', 'Mr|Mk|San Marcos'],
  ['LUK', 'Lc|Lk|San Lucas'],
  ['JHN', 'Jn|San Juan|St John|S. Juan|Gospel of John|João|Jean'],
  ['ACT', 'Hch|Hechos de los Apóstoles|Los Hechos'],
  ['1CO', '1 Co|1 Cor.|1ª Corintios|Primera a los Corintios|First Corinthians'],
  ['1TH', '1 Ts|1 Tes'],
  ['2TI', '2 Ti|2da Timoteo|2a de Timoteo'],
  ['JAS', 'Stg|Sant|Jas'],
  ['1PE', '1 P|1 Pedro|1a Pedro|First Peter'],
  ['1JN', '1 Jn|1Jn|I John|First John|1ra Juan|1ª de Juan|Primera de Juan|I Juan|First Epistle of John|1. Johannes'],
  ['3JN', '3 Jn|III Juan|Tercera de Juan|Third John'],
  ['JUD', 'Jud|Jude|Judas'],
  ['REV', 'Ap|Apoc|Apocalypse|Offenbarung|Revelations'],
];
test.each(aliases)('findBook finds the book %s by each of the names %s', (code, names) => {
  for (const name of names.split('|')) expect([name, findBook(name, 'spa')?.code]).toEqual([name, code]);
});

test.each([
  'John 3',
  'John 3:16',
  '1-2 Samuel',
  'John, Mark',
  'John Mark',
  'Tobit',
  '1 Maccabees',
  'Wisdom of Solomon',
  '',
  ' ',
  '.',
  '3',
  '\0',
  '\ud800',
  '😀',
  'the',
  'Johnny',
])('findBook returns null for %j, which does not name exactly one of the 66 books', (text) =>
  expect(findBook(text)).toBeNull(),
);

test('findBook returns null for a text of 5,000 characters that names no book', () => {
  expect(findBook('x'.repeat(5_000))).toBeNull();
});

test('findBook prefers a name of the translation to the other names of a book, but not to a book code', () => {
  const served = createNames('eng', [
    ['JHN', 'Yochanan'],
    ['1JN', 'John'],
    ['LUK', 'MRK'],
  ]);
  expect(findBook('YOCHANAN', 'eng', served)?.code).toBe('JHN');
  expect(findBook('John', 'eng', served)?.code).toBe('1JN');
  expect(findBook('MRK', 'eng', served)?.code).toBe('MRK');
  expect(findBook('Yochanan')).toBeNull();
});

test('the deuterocanonical books follow the 66 with the testament DC, and findBook finds them only if asked for them', () => {
  expect(deuterocanonicalBooks).toHaveLength(19);
  expect(allBooks.map(({ position }) => position)).toEqual(Array.from({ length: 85 }, (_, index) => index + 1));
  expect(bookByCode('TOB')).toEqual({ code: 'TOB', position: 67, testament: 'DC', singleChapter: false });
  for (const { code } of deuterocanonicalBooks) {
    for (const text of [code, bookName(code, 'eng'), bookName(code, 'spa')])
      expect([text, findBook(text), findBook(text, 'eng', undefined, true)?.code]).toEqual([text, null, code]);
  }
  for (const text of ['Jesus Sirach', 'Ecclesiasticus', 'Siracide', 'Sir', 'Eclo.'])
    expect([text, findBook(text, 'eng', undefined, true)?.code]).toEqual([text, 'SIR']);
});
