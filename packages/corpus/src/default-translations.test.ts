import { type BookCode, bookByCode } from '@lectern/canon';
import { realCorpus } from '../test-support/real-corpus';
import { type Corpus, openCorpus } from './open-corpus';

let corpus: Corpus;
beforeAll(async () => {
  corpus = openCorpus(await realCorpus());
});
afterAll(() => corpus?.close());

const text = (identifier: string, book: BookCode, chapter: number, verse: number): string | undefined =>
  corpus.verse(identifier, book, chapter, verse)?.text;
const withSource = (identifier: string): string =>
  `${identifier} (${corpus.translation(identifier)?.source.name} ${corpus.translation(identifier)?.source.version})`;

test('each default translation comes from the expected version of its SWORD module, with all books and verses', () => {
  expect(
    corpus.translations
      .filter(({ source }) => source.format === 'SWORD')
      .map(({ identifier, verseCount, complete, books }) => [
        withSource(identifier),
        verseCount,
        complete,
        books.length,
      ]),
  ).toEqual([
    ['eng-kjv (engKJV2006eb 14.3)', 31_102, true, 66],
    ['eng-web (engWEB2015eb 426.0)', 31_098, true, 66],
    ['spa-rv1909 (spaRV1909eb 2.60)', 31_084, true, 66],
  ]);
});

test('well-known verses of the default translations have the expected wording', () => {
  expect(text('eng-kjv', 'JHN', 3, 16)).toBe(
    'For God so loved the world, that he gave his only begotten Son, that whosoever believeth in him should not perish, but have everlasting life.',
  );
  expect(text('eng-web', 'GEN', 1, 1)).toBe('In the beginning, God created the heavens and the earth.');
  expect(text('spa-rv1909', 'PSA', 23, 1)).toBe('Salmo de David. JEHOVÁ es mi pastor; nada me faltará.');
  expect(text('eng-kjv', 'PSA', 23, 1)).toBe('The LORD is my shepherd; I shall not want.');
  expect(text('spa-rv1909', 'JHN', 11, 35)).toBe('Y lloró Jesús.');
  expect(text('eng-web', 'JHN', 11, 35)).toBe('Jesus wept.');
});

test('the verses of psalms lack the psalm titles in the English translations, and include the titles in the Reina-Valera 1909', () => {
  expect(text('eng-kjv', 'PSA', 3, 1)).toMatch(/^LORD, how are they increased/);
  expect(text('eng-web', 'PSA', 3, 1)).toMatch(/^Yahweh, how my adversaries/);
  expect(text('spa-rv1909', 'PSA', 3, 1)).toMatch(/^Salmo de David, cuando huía/);
  expect(text('eng-web', 'PSA', 119, 9)).toBe(
    'How can a young man keep his way pure? By living according to your word.',
  );
  expect(text('eng-web', 'PSA', 3, 2)).toMatch(/ Selah\.$/);
  expect(text('eng-web', 'SNG', 1, 2)).toMatch(/^Let him kiss me/);
});

test('the doxology of Romans is 14:24-26 in the World English Bible and 16:25-27 in the King James Version', () => {
  expect(text('eng-web', 'ROM', 14, 23)).toMatch(/is sin\.$/);
  expect([24, 25, 26].map((verse) => text('eng-web', 'ROM', 14, verse)?.slice(0, 22))).toEqual([
    'Now to him who is able',
    'but now is revealed, a',
    'to the only wise God, ',
  ]);
  expect(text('eng-web', 'ROM', 14, 26)).toMatch(/forever! Amen\.$/);
  expect([25, 26, 27].map((verse) => text('eng-web', 'ROM', 16, verse))).toEqual([undefined, undefined, undefined]);
  expect(text('eng-kjv', 'ROM', 16, 25)).toMatch(/^Now to him that is of power/);
  expect(text('eng-kjv', 'ROM', 16, 27)).toMatch(/for ever\. Amen\.$/);
  expect(
    corpus
      .translation('eng-web')
      ?.books.find(({ code }) => code === 'ROM')
      ?.chapters[13]?.slice(-4),
  ).toEqual([23, 24, 25, 26]);
});

test('Revelation 22:21 of the World English Bible does not include the glossary that follows in its SWORD module', () => {
  expect(text('eng-web', 'REV', 22, 21)).toBe('The grace of the Lord Jesus Christ be with all the saints. Amen.');
});

test('the World English Bible lacks four verses of the King James Version: Luke 17:36 and Acts 8:37, 15:34 and 24:7', () => {
  const places: [BookCode, number, number][] = [
    ['LUK', 17, 36],
    ['ACT', 8, 37],
    ['ACT', 15, 34],
    ['ACT', 24, 7],
  ];
  for (const [book, chapter, verse] of places) {
    expect(text('eng-web', book, chapter, verse)).toBeUndefined();
    expect(text('eng-kjv', book, chapter, verse)).toBeDefined();
  }
});

test('the Reina-Valera 1909 lacks 18 verse numbers of the King James Version, because 12 of its chapters are shorter', () => {
  const places: [BookCode, number, number][] = [
    ['NUM', 12, 16],
    ['NUM', 29, 40],
    ['1SA', 23, 29],
    ['2SA', 20, 26],
    ['2CH', 33, 25],
    ['JOB', 35, 16],
    ['JOB', 38, 39],
    ['JOB', 38, 40],
    ['JOB', 38, 41],
    ['JOB', 40, 20],
    ['JOB', 40, 21],
    ['JOB', 40, 22],
    ['JOB', 40, 23],
    ['JOB', 40, 24],
    ['HOS', 11, 12],
    ['JON', 1, 17],
    ['ACT', 19, 41],
    ['2CO', 13, 14],
  ];
  expect(places.filter(([book, chapter, verse]) => text('spa-rv1909', book, chapter, verse) !== undefined)).toEqual([]);
});

test('the Reina-Valera 1909 has a space between words that its markup joins, but none before a pronoun of a verb', () => {
  expect(text('spa-rv1909', 'GEN', 2, 12)).toContain('hay allí también bdelio');
  expect(text('spa-rv1909', 'ROM', 16, 27)).toContain('enviada por medio de Febe');
  expect(text('spa-rv1909', '2CH', 3, 3)).toContain('Estas son las medidas de que Salomón fundó');
  expect(text('spa-rv1909', 'GEN', 25, 33)).toContain('Júramelo en este día');
  expect(text('spa-rv1909', '1KI', 3, 5)).toContain('y díjole Dios');
  expect(text('spa-rv1909', 'JHN', 17, 26)).toContain('y manifestarélo aún');
  expect(text('spa-rv1909', 'JOS', 5, 4)).toContain('Josué los circuncidó');
  expect(text('spa-rv1909', '1SA', 14, 1)).toContain('Y no lo hizo saber');
  expect(text('spa-rv1909', 'MRK', 14, 1)).toContain('y los días de los panes');
});

test('the World English Bible has a space where a note between two words is removed, and after a quotation', () => {
  expect(text('eng-web', 'GEN', 2, 4)).toContain('Yahweh God made');
  expect(text('eng-web', 'MAT', 9, 13)).toContain('‘I desire mercy, and not sacrifice,’ for I came');
  expect(text('eng-web', 'JHN', 5, 12)).toMatch(/and walk’\?”$/);
  expect(text('eng-web', 'MAT', 3, 15)).toContain('righteousness.” Then he allowed him.');
});

test('Exodus 6:3 of the King James Version and Job 32:2 of the Reina-Valera 1909 lack the known errors of their SWORD modules', () => {
  expect(text('eng-kjv', 'EXO', 6, 3)).toContain('by my name JEHOVAH was I not known');
  expect(text('spa-rv1909', 'JOB', 32, 2)).toContain('Bucita, de la familia');
});

test.each(['eng-kjv', 'eng-web', 'spa-rv1909'])(
  'every verse of %s is one line without markup, digits, double spaces, or spaces before punctuation',
  (identifier) => {
    const untidy = [...corpus.eachVerse(identifier)].filter(
      ({ text: line }) =>
        line === '' ||
        line !== line.trim() ||
        line !== line.normalize('NFC') ||
        /\s\s|[^\S ]|[<>&{}\\*|_^=¶\d"]|\p{C}|\(\s*\)|\[\s*\]/u.test(line) ||
        / [,.;:!?)”’\]]|[(“‘¿¡[] |[,.;:!?)”]\p{L}|\p{Ll}\p{Lu}|,,/u.test(line),
    );
    expect(untidy).toEqual([]);
  },
);

test('two default translations have the expected number of Strong’s tags, and each tag lies inside its verse', () => {
  expect(
    corpus.translations
      .filter(({ source }) => source.format === 'SWORD')
      .map(({ identifier, hasStrongsTagging }) => [identifier, hasStrongsTagging]),
  ).toEqual([
    ['eng-kjv', true],
    ['eng-web', false],
    ['spa-rv1909', true],
  ]);
  const counts = ['eng-kjv', 'eng-web', 'spa-rv1909'].map((identifier) => {
    let tags = 0;
    for (const { text: line, words, book } of corpus.eachVerse(identifier)) {
      for (const { start, length, strongs } of words) {
        const word = line.slice(start, start + length);
        const letter = bookByCode(book).testament === 'NT' ? 'G' : 'H';
        if (
          length < 1 ||
          word.length !== length ||
          word !== word.trim() ||
          strongs.length === 0 ||
          !strongs.every((number) => /^[GH][1-9]\d{0,3}$/.test(number) && number.startsWith(letter))
        ) {
          throw new Error(`${identifier} ${book}: ${JSON.stringify({ start, length, strongs })} in '${line}'`);
        }
        tags += 1;
      }
    }
    return tags;
  });
  expect(counts).toEqual([348_884, 0, 390_757]);
});

test('the word misericordia and its forms have the expected number of occurrences in each testament of the Reina-Valera 1909', () => {
  const places = [...corpus.eachVerse('spa-rv1909')].flatMap(({ book, text: line }) => {
    const words = line.match(/(?<!\p{L})misericordi(?:as?|osos?)(?!\p{L})/giu)?.length ?? 0;
    return words > 0 ? [{ book, words }] : [];
  });
  const isOld = ({ book }: { book: BookCode }): boolean => bookByCode(book).testament === 'OT';
  expect(places.reduce((total, { words }) => total + words, 0)).toBe(424);
  expect(
    [
      places,
      places.filter(isOld),
      places.filter((place) => !isOld(place)),
      places.filter(({ book }) => book === 'PSA'),
    ].map((verses) => verses.length),
  ).toEqual([398, 327, 71, 164]);
});
