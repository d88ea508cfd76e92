import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  allBooks,
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
const keyOf = (at: Place | null) => at && key(at);
const place = (text: string): Place => {
  const parsed = parsePlace(text);
  if (!parsed) throw new Error(`no such place: ${text}`);
  return parsed;
};

/** Every verse that the chapter ends of a numbering leave room for. */
const versesOf = (numbering: Numbering, among = books): Place[] =>
  among.flatMap(({ code: book }) =>
    chapterEnds(numbering, book).flatMap((end, index) =>
      Array.from({ length: end }, (_, verse): Place => ({ book, chapter: index + 1, verse: verse + 1 })),
    ),
  );

const standard = versesOf('standard');

test('the standard verse numbering has the 31,102 verses of the King James Version', () => {
  expect(standard).toHaveLength(31_102);
});

/** Verses as "JER 48:45-47, NEH 7:68". */
const ranges = (verses: readonly Place[]): string =>
  verses.reduce((text, verse, index) => {
    const before = verses[index - 1];
    const isNext = before && verseOrdinal(before) + 1 === verseOrdinal(verse);
    if (!isNext) return `${text}${text && ', '}${key(verse)}`;
    return `${text.replace(/-\d+$/, '')}-${verse.verse}`;
  }, '');

/** Standard verses that a numbering has nowhere, and its verses that no standard verse leads back to. */
const missing: Partial<Record<Numbering, string>> = {
  // Codex Leningradensis lacks the verse.
  hebrew: 'NEH 7:68',
  original: 'NEH 7:68',
  // "The song of songs" is the title of the book.
  synodal: 'SNG 1:1',
  'synodal-protestant': 'SNG 1:1',
  // Verses that the Septuagint lacks, or that it has in an order that is not known.
  septuagint:
    'EXO 36:8-38, EXO 37:1-29, EXO 38:1-8, EXO 38:24-31, EXO 39:32, NUM 6:27, JOS 8:30-35, JOS 10:43, JOS 13:33, 1SA 17:55-58, 1SA 18:30, 1KI 4:20, 1KI 6:37-38, 1KI 7:1-51, NEH 7:68, PRO 18:23-24, ISA 2:22, ISA 56:12, JER 25:14, JER 33:14-26, JER 48:45-47',
};
/** What numberings call additions, which no standard verse contains: how many verses. */
const additions: Partial<Record<Numbering, number>> = { vulgate: 4, synodal: 19, septuagint: 121 };

describe.each(numberings)('the verse numbering %s', (numbering) => {
  const own = versesOf(numbering);
  const exists = new Set(own.map(verseOrdinal));
  const existsInStandard = new Set(versesOf('standard', allBooks).map(verseOrdinal));

  test('standardVerses converts each verse only to verses that exist in the standard numbering', () => {
    const others = own.filter((slot) =>
      standardVerses(numbering, slot).some((verse) => !existsInStandard.has(verseOrdinal(verse))),
    );
    expect(others.map(key)).toEqual([]);
  });

  test('fromStandard converts every standard verse to a verse that contains it, or to null for the known missing verses', () => {
    const lost = standard.filter((verse) => {
      const slot = fromStandard(numbering, verse);
      if (!slot) return true;
      return (
        !exists.has(verseOrdinal(slot)) ||
        !standardVerses(numbering, slot).some((each) => verseOrdinal(each) === verseOrdinal(verse))
      );
    });
    expect(ranges(lost)).toBe(missing[numbering] ?? '');
  });

  test('toStandard and fromStandard return the verse they began with, unless two verses share a standard verse', () => {
    const astray = own.filter((slot) => {
      const there = toStandard(numbering, slot);
      if (!there) return false;
      const back = fromStandard(numbering, there);
      if (!back || verseOrdinal(back) === verseOrdinal(slot)) return back === null;
      // Two verses share a standard verse: the way back leads to the other one.
      return !standardVerses(numbering, back).some((verse) => verseOrdinal(verse) === verseOrdinal(there));
    });
    expect(astray.map(key)).toEqual([]);
    expect(own.filter((slot) => toStandard(numbering, slot) === null)).toHaveLength(additions[numbering] ?? 0);
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
  ['nrsv', '2CO 13:12', '2CO 13:12'],
  ['nrsv', '2CO 13:13', '2CO 13:14'],
  ['divided', '2CO 13:13', '2CO 13:13'],
  ['divided', '2CO 13:14', '2CO 13:14'],
  ['greek', 'PHP 1:16', 'PHP 1:17'],
  ['greek', 'REV 13:1', 'REV 13:1'],
  ['greek', 'ROM 16:25', 'ROM 16:25'],
  ['web', 'ROM 14:24', 'ROM 16:25'],
  ['rv1909', 'JON 2:1', 'JON 1:17'],
  ['segond', 'EXO 8:1', 'EXO 8:5'],
  ['segond', 'JOB 39:1', 'JOB 38:39'],
  ['segond', 'PSA 9:2', 'PSA 9:1'],
  ['segond', 'PSA 51:3', 'PSA 51:1'],
  ['segond', 'ECC 12:1', 'ECC 11:9'],
  ['segond', 'ISA 64:1', 'ISA 64:2'],
  ['segond', 'JOL 2:28', 'JOL 2:28'],
  ['segond', '2CH 14:1', '2CH 14:2'],
  ['segond', 'MAL 4:1', 'MAL 4:1'],
  ['segond', '2CO 13:13', '2CO 13:14'],
  ['septuagint', 'PSA 2:12', 'PSA 2:12'],
  ['septuagint', 'PSA 22:1', 'PSA 23:1'],
  ['septuagint', 'PSA 50:3', 'PSA 51:1'],
  ['septuagint', 'PSA 113:9', 'PSA 115:1'],
  ['septuagint', 'PSA 146:1', 'PSA 147:1'],
  ['septuagint', '1KI 21:1', '1KI 20:1'],
  ['septuagint', 'JER 32:15', 'JER 25:15'],
  ['septuagint', 'JER 38:31', 'JER 31:31'],
  ['septuagint', 'JER 51:31', 'JER 45:1'],
  ['septuagint', 'DAN 3:91', 'DAN 3:24'],
  ['septuagint', 'MAL 3:24', 'MAL 4:4'],
  ['original', 'MAL 3:19', 'MAL 4:1'],
  ['original', '2CO 13:13', '2CO 13:14'],
  ['luther', 'JOL 3:1', 'JOL 2:28'],
  ['luther', 'MAL 3:19', 'MAL 4:1'],
  ['luther', 'PSA 51:3', 'PSA 51:1'],
  ['luther', 'NEH 7:68', 'NEH 7:68'],
  ['luther', '2CO 13:13', '2CO 13:14'],
  ['dutch', 'PSA 51:3', 'PSA 51:1'],
  ['dutch', 'EXO 6:1', 'EXO 6:2'],
  ['dutch', 'HOS 14:2', 'HOS 14:1'],
  ['dutch', 'JOL 3:1', 'JOL 3:1'],
  ['dutch', 'MAL 4:1', 'MAL 4:1'],
  ['vulgate', 'NUM 13:1', 'NUM 12:16'],
  ['vulgate', 'NUM 30:1', 'NUM 29:40'],
  ['vulgate', 'EST 10:3', 'EST 10:3'],
  ['vulgate', 'PSA 9:2', 'PSA 9:1'],
  ['vulgate', 'PSA 9:22', 'PSA 10:1'],
  ['vulgate', 'PSA 22:1', 'PSA 23:1'],
  ['vulgate', 'PSA 50:3', 'PSA 51:1'],
  ['vulgate', 'PSA 113:1', 'PSA 114:1'],
  ['vulgate', 'PSA 113:9', 'PSA 115:1'],
  ['vulgate', 'PSA 114:1', 'PSA 116:1'],
  ['vulgate', 'PSA 115:1', 'PSA 116:10'],
  ['vulgate', 'PSA 146:1', 'PSA 147:1'],
  ['vulgate', 'PSA 147:1', 'PSA 147:12'],
  ['vulgate', 'PSA 150:1', 'PSA 150:1'],
  ['vulgate', 'DAN 3:91', 'DAN 3:24'],
  ['vulgate', 'DAN 4:1', 'DAN 4:4'],
  ['vulgate', 'JOL 2:28', 'JOL 2:28'],
  ['vulgate', 'MRK 9:1', 'MRK 9:2'],
  ['vulgate', 'MRK 8:39', 'MRK 9:1'],
  ['synodal', 'NUM 17:1', 'NUM 17:1'],
  ['synodal', 'NUM 30:1', 'NUM 29:40'],
  ['synodal', 'PSA 9:22', 'PSA 10:1'],
  ['synodal', 'PSA 22:1', 'PSA 23:1'],
  ['synodal', 'PSA 50:3', 'PSA 51:1'],
  ['synodal', 'PSA 113:9', 'PSA 115:1'],
  ['synodal', 'PSA 115:1', 'PSA 116:10'],
  ['synodal', 'PSA 147:1', 'PSA 147:12'],
  ['synodal', 'PRO 13:15', 'PRO 13:14'],
  ['synodal', 'DAN 3:91', 'DAN 3:24'],
  ['synodal', 'ROM 14:24', 'ROM 16:25'],
  ['synodal-protestant', 'DAN 3:24', 'DAN 3:24'],
  ['synodal-protestant', 'DAN 3:31', 'DAN 4:1'],
  ['synodal-protestant', 'ROM 14:24', 'ROM 16:25'],
])(
  'from the verse numbering %s, renumber converts %s to %s of the King James Version and back',
  (numbering, own, expected) => {
    expect(key(renumber(place(own), numbering, 'standard') ?? place(own))).toBe(expected);
    expect(key(renumber(place(expected), 'standard', numbering) ?? place(expected))).toBe(own);
  },
);

test('toStandard maps the title verses of a Hebrew psalm to verse 1, which fromStandard maps to the verse after the title', () => {
  for (const title of ['PSA 51:1', 'PSA 51:2', 'PSA 3:1'])
    expect(keyOf(toStandard('hebrew', place(title)))).toBe(title.replace(/\d+$/, '1'));
  expect(key(fromStandard('hebrew', place('PSA 51:1')) ?? place('PSA 1:1'))).toBe('PSA 51:3');
});

test('standardVerses returns both King James verses for a Hebrew verse that contains a part of each', () => {
  expect(standardVerses('hebrew', place('1KI 18:34'))).toEqual([
    { book: '1KI', chapter: 18, verse: 34, isPartial: true },
    { book: '1KI', chapter: 18, verse: 33, isPartial: true },
  ]);
  expect(key(fromStandard('hebrew', place('ISA 64:1')) ?? place('ISA 1:1'))).toBe('ISA 63:19');
  expect(key(fromStandard('hebrew', place('1KI 22:43')) ?? place('ISA 1:1'))).toBe('1KI 22:43');
});

test('toStandard maps the Greek verses 3 John 15 and Revelation 12:18 to 3 John 14 and Revelation 13:1', () => {
  for (const numbering of ['nrsv', 'divided', 'luther', 'dutch', 'vulgate', 'segond', 'septuagint'] as const) {
    expect([numbering, keyOf(toStandard(numbering, place('3JN 1:15')))]).toEqual([numbering, '3JN 1:14']);
    expect([numbering, keyOf(toStandard(numbering, place('REV 12:18')))]).toEqual([numbering, 'REV 13:1']);
    expect(keyOf(fromStandard(numbering, place('REV 13:1')))).toBe('REV 13:1');
    expect(keyOf(fromStandard(numbering, place('3JN 1:14')))).toBe('3JN 1:14');
  }
});

/** The lines of other-places.tsv: the numberings for which a line counts, and the places. */
const otherPlaces = readFileSync(join(__dirname, '../numberings/other-places.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => {
    const [name, range = ''] = line.split('\t');
    const [, start = '', first, last = first] = /^(.+:)(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    const count = Number(last) - Number(first) + 1;
    const slots = Array.from({ length: count }, (_, index) => place(`${start}${Number(first) + index}`));
    return numberings.filter((each) => name === '*' || name === each).map((numbering) => ({ numbering, slots }));
  });

test.each(numberings)(
  'in the numbering %s, a deuterocanonical verse that the translation has comes back from the standard numbering',
  (numbering) => {
    const existing = new Set(versesOf('standard', allBooks).map(key));
    const slots = otherPlaces.filter((each) => each.numbering === numbering).flatMap((each) => each.slots);
    const own = versesOf(numbering, allBooks).filter((slot) => standardVerses(numbering, slot)[0]?.book !== slot.book);
    expect(slots.length).toBeGreaterThan(400);
    for (const slot of [...slots, ...own]) {
      for (const standardVerse of standardVerses(numbering, slot)) {
        expect([key(slot), key(standardVerse), existing.has(key(standardVerse))]).toEqual([
          key(slot),
          key(standardVerse),
          true,
        ]);
        const back = fromStandard(numbering, standardVerse, (each) => each.book === slot.book);
        const isShared = back && standardVerses(numbering, back).some((each) => key(each) === key(standardVerse));
        expect([key(slot), isShared]).toEqual([key(slot), true]);
      }
    }
  },
);

test.each<[Numbering, string, string]>([
  ['vulgate', 'DAN 3:24', 'S3Y 1:1'],
  ['vulgate', 'DAN 3:25', 'S3Y 1:2'],
  ['vulgate', 'DAN 3:51', 'S3Y 1:28'],
  ['vulgate', 'DAN 3:53', 'S3Y 1:31'],
  ['vulgate', 'DAN 3:54', 'S3Y 1:33'],
  ['vulgate', 'DAN 3:55', 'S3Y 1:32'],
  ['vulgate', 'DAN 3:58', 'S3Y 1:37'],
  ['vulgate', 'DAN 3:59', 'S3Y 1:36'],
  ['vulgate', 'DAN 3:69', 'S3Y 1:49'],
  ['vulgate', 'DAN 3:72', 'S3Y 1:48'],
  ['vulgate', 'DAN 3:90', 'S3Y 1:68'],
  ['vulgate', 'DAN 13:1', 'SUS 1:1'],
  ['vulgate', 'DAN 13:65', 'BEL 1:1'],
  ['vulgate', 'DAN 14:1', 'BEL 1:2'],
  ['vulgate', 'DAN 14:41', 'BEL 1:42'],
  ['vulgate', 'EST 10:4', 'ESG 10:4'],
  ['vulgate', 'EST 15:4', 'ESG 15:1'],
  ['vulgate', 'EST 16:24', 'ESG 16:24'],
  ['vulgate', 'BAR 6:1', 'BAR 6:2'],
  ['vulgate', 'BAR 6:44', 'BAR 6:44'],
  ['vulgate', 'BAR 6:72', 'BAR 6:73'],
  ['vulgate', 'WIS 6:2', 'WIS 6:1'],
  ['vulgate', '1MA 1:67', '1MA 1:64'],
  ['vulgate', '2MA 15:40', '2MA 15:39'],
  ['synodal', 'DAN 3:24', 'S3Y 1:1'],
  ['synodal', 'DAN 13:64', 'SUS 1:64'],
  ['synodal', 'DAN 14:1', 'BEL 1:1'],
  ['synodal', 'PSA 151:7', 'PS2 1:7'],
  ['septuagint', 'DAN 3:90', 'S3Y 1:68'],
  ['septuagint', 'PSA 151:1', 'PS2 1:1'],
  ['web', 'DAG 3:25', 'S3Y 1:2'],
  ['web', 'DAG 3:53', 'S3Y 1:30'],
  ['web', 'DAG 3:90', 'S3Y 1:68'],
  ['web', 'DAG 13:64', 'SUS 1:64'],
  ['web', 'ESG 4:18', 'ESG 13:8'],
  ['web', 'ESG 10:14', 'ESG 11:1'],
  ['nrsv', 'LJE 1:73', 'BAR 6:73'],
  ['hebrew', 'DAG 14:1', 'BEL 1:1'],
])(
  'in the verse numbering %s, %s is the deuterocanonical verse %s of the King James Version',
  (numbering, own, expected) => {
    const isOwn = (slot: Place) => slot.book === place(own).book;
    expect(key(renumber(place(own), numbering, 'standard') ?? place(own))).toBe(expected);
    expect(keyOf(renumber(place(expected), 'standard', numbering, isOwn))).toBe(own);
  },
);

test('renumber leads from the Prayer of Azariah in Daniel to the book in which the other translation prints it, and back', () => {
  const within = (book: string) => (slot: Place) => slot.book === book;
  expect(keyOf(renumber(place('DAN 3:25'), 'vulgate', 'web', within('DAG')))).toBe('DAG 3:25');
  expect(keyOf(renumber(place('DAN 3:25'), 'vulgate', 'web', within('S3Y')))).toBe('S3Y 1:2');
  expect(keyOf(renumber(place('DAN 3:25'), 'vulgate', 'synodal', within('DAN')))).toBe('DAN 3:25');
  expect(keyOf(renumber(place('DAG 3:25'), 'web', 'vulgate', within('DAN')))).toBe('DAN 3:25');
  expect(keyOf(renumber(place('S3Y 1:2'), 'standard', 'standard', within('DAG')))).toBe('DAG 3:25');
  expect(renumber(place('DAN 3:25'), 'vulgate', 'synodal-protestant', within('DAN'))).toBeNull();
  // The World English Bible joins the dream of Mordecai to ESG 1:1.
  expect(keyOf(renumber(place('EST 11:5'), 'vulgate', 'web', within('ESG')))).toBe('ESG 1:1');
  expect(keyOf(renumber(place('ESG 1:1'), 'web', 'vulgate', within('EST')))).toBe('EST 11:2');
});

test.each<[Numbering, string]>([
  ['vulgate', 'DAN 14:42'],
  ['vulgate', 'EST 15:1'],
  ['vulgate', 'WIS 6:1'],
  ['synodal', 'DAN 3:54'],
  ['synodal', 'LJE 1:1'],
  ['septuagint', 'DAN 3:77'],
  ['web', 'DAG 3:71'],
  ['luther', 'DAG 3:25'],
])('in the verse numbering %s, %s has no standard verse, because none is certain', (numbering, slot) => {
  expect(standardVerses(numbering, place(slot))).toEqual([]);
});

test('renumber maps the title of a psalm to the title in another numbering that counts titles as verses', () => {
  expect(keyOf(renumber(place('PSA 50:1'), 'vulgate', 'hebrew'))).toBe('PSA 51:1');
  expect(keyOf(renumber(place('PSA 50:2'), 'vulgate', 'hebrew'))).toBe('PSA 51:2');
  expect(keyOf(renumber(place('PSA 3:1'), 'hebrew', 'luther'))).toBe('PSA 3:1');
  expect(keyOf(renumber(place('PSA 50:1'), 'vulgate', 'standard'))).toBe('PSA 51:1');
});
