import {
  bookByCode,
  bookId,
  books,
  isTranslationIdentifier,
  ordinalParts,
  parseVerseId,
  parseVerseWordId,
  translationId,
  type VerseParts,
  verseId,
  verseOrdinal,
  verseWordId,
} from './index';

const john: VerseParts = { translation: 'eng-web', book: 'JHN', chapter: 3, verse: 16 };
const base64url = (text: string) => Buffer.from(text).toString('base64url');

test('verseId encodes the version of the id format, the translation, the book, the chapter and the verse as base64url', () => {
  expect(verseId(john)).toBe(base64url('v1:eng-web.JHN.3.16'));
  expect(verseId(john)).not.toMatch(/[=+/]/);
});

test('parseVerseId decodes the ids that verseId makes for each book and for translation identifiers of 1 to 100 characters', () => {
  for (const translation of ['a', 'eng-web', 'spa-rv1909', '0-', 'x'.repeat(100)]) {
    for (const { code } of books) {
      const parts = { translation, book: code, chapter: 150, verse: 176 };
      expect(parseVerseId(verseId(parts))).toEqual(parts);
    }
  }
});

test('parseVerseWordId decodes the ids that verseWordId makes, and returns null for any other text', () => {
  for (const start of [0, 7, 123_456]) {
    expect(parseVerseWordId(verseWordId(john, start))).toEqual({ verse: john, start });
    expect(parseVerseId(verseWordId(john, start))).toBeNull();
  }
  const wrong = [verseId(john), base64url('v1:eng-web.JHN.3.16.007'), base64url('v1:eng-web.JHN.3.16.-1'), '', 'x'];
  for (const text of wrong) expect(parseVerseWordId(text)).toBeNull();
});

test.each([
  '',
  ' ',
  'x',
  'JHN.3.16',
  '\0',
  '😀',
  `${verseId(john)}=`,
  ` ${verseId(john)}`,
  verseId(john).slice(0, -1),
  Buffer.from('v1:eng-web.JHN.3.16').toString('base64'),
])('parseVerseId returns null for %j, which is not a verse id', (text) => expect(parseVerseId(text)).toBeNull());

test.each([
  'v1:eng-web.JHN.03.16',
  'v1:eng-web.JHN.0.1',
  'v1:eng-web.JHN.3.0',
  'v1:eng-web.JHN.1000.1',
  'v1:eng-web.JHN.3.16 ',
  'v1:eng-web.jhn.3.16',
  'v1:eng-web.GLO.3.16',
  'v1:ENG.JHN.3.16',
  'v1:eng_web.JHN.3.16',
  'v1:.JHN.3.16',
  'v2:eng-web.JHN.3.16',
  'v1:eng-web.JHN.3.16\n',
  'v1:book:JHN',
  'v1:eng-wéb.JHN.3.16',
])('parseVerseId returns null for the base64url encoding of %j, which is malformed', (text) =>
  expect(parseVerseId(base64url(text))).toBeNull(),
);

test('parseVerseId returns null for a text of 100,000 characters', () => {
  expect(parseVerseId('A'.repeat(100_000))).toBeNull();
});

test('parseVerseId accepts only one base64url encoding of each id', () => {
  const id = verseId(john);
  const reencoded = id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) + 1);
  expect(Buffer.from(reencoded, 'base64url').toString()).toBe(Buffer.from(id, 'base64url').toString());
  expect(parseVerseId(reencoded)).toBeNull();
});

test('translationId and bookId encode the version of the id format, the type and the identifier as base64url', () => {
  expect(translationId('eng-web')).toBe(base64url('v1:translation:eng-web'));
  expect(bookId('JHN')).toBe(base64url('v1:book:JHN'));
  expect(parseVerseId(bookId('JHN'))).toBeNull();
});

test('isTranslationIdentifier accepts only 1 to 100 lower-case letters, digits and hyphens', () => {
  expect(['eng-web', 'spa-rv1909', 'x'.repeat(100)].every(isTranslationIdentifier)).toBe(true);
  expect(['', 'ENG', 'a b', 'a.b', 'a\n', 'ñ', 'x'.repeat(101)].some(isTranslationIdentifier)).toBe(false);
});

test('verseOrdinal numbers verses in canonical order, and ordinalParts converts the number back to the verse', () => {
  expect(verseOrdinal(john)).toBe(43_003_016);
  expect(ordinalParts(43_003_016)).toEqual({ book: 'JHN', chapter: 3, verse: 16 });
  expect(verseOrdinal({ book: 'GEN', chapter: 50, verse: 26 })).toBeLessThan(
    verseOrdinal({ book: 'EXO', chapter: 1, verse: 1 }),
  );
  expect(verseOrdinal({ book: 'PSA', chapter: 119, verse: 176 })).toBeLessThan(
    verseOrdinal({ book: 'PSA', chapter: 120, verse: 1 }),
  );
  expect([0, -1, 86_001_001, 1.5, Number.NaN, 1_000_000.5].map(ordinalParts)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(bookByCode('REV').position).toBe(66);
});
