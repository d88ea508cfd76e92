import {
  books,
  chapterEnds,
  fromStandard,
  type Numbering,
  numberings,
  type Place,
  parsePlace,
  renumber,
  standardVerses,
  toStandard,
  verseOrdinal,
} from './index';

const key = ({ book, chapter, verse }: Place) => `${book} ${chapter}:${verse}`;
const place = (text: string): Place => {
  const parsed = parsePlace(text);
  if (!parsed) throw new Error(`no such place: ${text}`);
  return parsed;
};

/** Every verse that the chapter ends of a numbering leave room for. */
const versesOf = (numbering: Numbering): Place[] =>
  books.flatMap(({ code: book }) =>
    chapterEnds(numbering, book).flatMap((end, index) =>
      Array.from({ length: end }, (_, verse): Place => ({ book, chapter: index + 1, verse: verse + 1 })),
    ),
  );

const standard = versesOf('standard');

test('the standard numbering has the 31,102 verses of the King James Version', () => {
  expect(standard).toHaveLength(31_102);
});

/** Standard verses that a numbering has nowhere, and its verses that no standard verse leads back to. */
const missing: Partial<Record<Numbering, readonly string[]>> = {
  // Codex Leningradensis lacks the verse.
  hebrew: ['NEH 7:68'],
};

describe.each(numberings)('the numbering %s', (numbering) => {
  const own = versesOf(numbering);
  const exists = new Set(own.map(verseOrdinal));
  const existsInStandard = new Set(standard.map(verseOrdinal));

  test('has only standard verses in its verses', () => {
    const others = own.filter((slot) =>
      standardVerses(numbering, slot).some((verse) => !existsInStandard.has(verseOrdinal(verse))),
    );
    expect(others.map(key)).toEqual([]);
  });

  test('gives every standard verse a verse that exists and contains it, or null for the known missing verses', () => {
    const lost = standard.filter((verse) => {
      const slot = fromStandard(numbering, verse);
      if (!slot) return true;
      return (
        !exists.has(verseOrdinal(slot)) ||
        !standardVerses(numbering, slot).some((each) => verseOrdinal(each) === verseOrdinal(verse))
      );
    });
    expect(lost.map(key)).toEqual(missing[numbering] ?? []);
  });

  test('leads from every verse to its standard verse and back, unless another verse has more of that or it is a title', () => {
    const astray = own.filter((slot) => {
      const back = fromStandard(numbering, toStandard(numbering, slot));
      if (!back || verseOrdinal(back) === verseOrdinal(slot)) return back === null;
      // Two verses share a standard verse: the way back leads to the other one.
      const shared = verseOrdinal(toStandard(numbering, slot));
      return !standardVerses(numbering, back).some((verse) => verseOrdinal(verse) === shared);
    });
    expect(astray.map(key)).toEqual([]);
  });
});

test.each<[Numbering, string, string]>([
  ['hebrew', 'GEN 32:1', 'GEN 31:55'],
  ['hebrew', 'EXO 7:26', 'EXO 8:1'],
  ['hebrew', 'LEV 5:20', 'LEV 6:1'],
  ['hebrew', 'NUM 17:1', 'NUM 16:36'],
  ['hebrew', 'NUM 17:16', 'NUM 17:1'],
  ['hebrew', 'NUM 30:1', 'NUM 29:40'],
  ['hebrew', 'NUM 30:2', 'NUM 30:1'],
  ['hebrew', 'DEU 28:69', 'DEU 29:1'],
  ['hebrew', '1SA 24:1', '1SA 23:29'],
  ['hebrew', '1KI 5:1', '1KI 4:21'],
  ['hebrew', '1CH 5:27', '1CH 6:1'],
  ['hebrew', 'NEH 7:68', 'NEH 7:69'],
  ['hebrew', 'EST 10:3', 'EST 10:3'],
  ['hebrew', 'JOB 40:25', 'JOB 41:1'],
  ['hebrew', 'PSA 9:2', 'PSA 9:1'],
  ['hebrew', 'PSA 9:21', 'PSA 9:20'],
  ['hebrew', 'PSA 10:1', 'PSA 10:1'],
  ['hebrew', 'PSA 23:1', 'PSA 23:1'],
  ['hebrew', 'PSA 51:3', 'PSA 51:1'],
  ['hebrew', 'PSA 51:21', 'PSA 51:19'],
  ['hebrew', 'PSA 114:1', 'PSA 114:1'],
  ['hebrew', 'PSA 115:1', 'PSA 115:1'],
  ['hebrew', 'PSA 116:10', 'PSA 116:10'],
  ['hebrew', 'PSA 147:12', 'PSA 147:12'],
  ['hebrew', 'ECC 4:17', 'ECC 5:1'],
  ['hebrew', 'SNG 7:1', 'SNG 6:13'],
  ['hebrew', 'ISA 8:23', 'ISA 9:1'],
  ['hebrew', 'ISA 64:1', 'ISA 64:2'],
  ['hebrew', 'EZK 21:1', 'EZK 20:45'],
  ['hebrew', 'DAN 3:31', 'DAN 4:1'],
  ['hebrew', 'DAN 6:1', 'DAN 5:31'],
  ['hebrew', 'HOS 2:1', 'HOS 1:10'],
  ['hebrew', 'JOL 3:1', 'JOL 2:28'],
  ['hebrew', 'JOL 4:1', 'JOL 3:1'],
  ['hebrew', 'JON 2:1', 'JON 1:17'],
  ['hebrew', 'ZEC 2:1', 'ZEC 1:18'],
  ['hebrew', 'MAL 3:19', 'MAL 4:1'],
  ['hebrew', 'MAL 3:24', 'MAL 4:6'],
  ['hebrew', 'MAT 1:1', 'MAT 1:1'],
  ['greek', '2CO 13:13', '2CO 13:14'],
  ['greek', 'PHP 1:16', 'PHP 1:17'],
  ['greek', 'REV 13:1', 'REV 13:1'],
  ['greek', 'ROM 16:25', 'ROM 16:25'],
])('the verse of the numbering %s at %s is %s of the King James Version, and back', (numbering, own, expected) => {
  expect(key(renumber(place(own), numbering, 'standard') ?? place(own))).toBe(expected);
  expect(key(renumber(place(expected), 'standard', numbering) ?? place(expected))).toBe(own);
});

test('the title of a Psalm in Hebrew belongs to the first verse, which leads to the verse after the title', () => {
  for (const title of ['PSA 51:1', 'PSA 51:2', 'PSA 3:1'])
    expect(key(toStandard('hebrew', place(title)))).toBe(title.replace(/\d+$/, '1'));
  expect(key(fromStandard('hebrew', place('PSA 51:1')) ?? place('PSA 1:1'))).toBe('PSA 51:3');
});

test('a Hebrew verse with parts of two verses of the King James Version names both, and says that they are parts', () => {
  expect(standardVerses('hebrew', place('1KI 18:34'))).toEqual([
    { book: '1KI', chapter: 18, verse: 34, isPartial: true },
    { book: '1KI', chapter: 18, verse: 33, isPartial: true },
  ]);
  expect(key(fromStandard('hebrew', place('ISA 64:1')) ?? place('ISA 1:1'))).toBe('ISA 63:19');
  expect(key(fromStandard('hebrew', place('1KI 22:43')) ?? place('ISA 1:1'))).toBe('1KI 22:43');
});
