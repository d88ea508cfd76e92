import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kjvShape } from '../fixtures/kjv-shape';
import { books, fromStandard, isBookCode, type Place, renumber, standardVerses, toStandard } from './index';

const place = (text: string): Place => {
  const [book = '', chapter, verse] = text.split('.');
  if (!isBookCode(book)) throw new Error(`no such book: ${text}`);
  return { book, chapter: Number(chapter), verse: Number(verse) };
};
const rows = readFileSync(join(__dirname, '../fixtures/rv1909-to-kjv.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [slot = '', verses = ''] = line.split('\t');
    return { slot: place(slot), verses: verses.split(' ').map(place) };
  });
const isListed = (wanted: Place) => rows.some(({ slot }) => key(slot) === key(wanted));
const key = (at: Place | null) => at && `${at.book}.${at.chapter}.${at.verse}`;

test('standardVerses returns the King James verses for each of the 193 verses that the Reina-Valera 1909 numbers differently', () => {
  expect(rows).toHaveLength(193);
  for (const { slot, verses } of rows) {
    expect([key(slot), standardVerses('rv1909', slot)]).toEqual([key(slot), verses]);
    expect(toStandard('rv1909', slot)).toEqual(verses[0]);
  }
});

test('fromStandard converts a King James verse number to the verse of the Reina-Valera 1909 that contains this verse', () => {
  const spread = new Set(['JDG.14.18', '1KI.22.43', '1CH.21.15']);
  for (const { slot, verses } of rows) {
    for (const verse of verses) {
      expect([key(verse), key(fromStandard('rv1909', verse))]).toEqual([
        key(verse),
        spread.has(`${key(verse)}`) ? key(verse) : key(slot),
      ]);
    }
  }
});

test('all verses of the Reina-Valera 1909 but three come back from toStandard and fromStandard as they were', () => {
  const back = rows
    .filter(({ slot }) => key(fromStandard('rv1909', toStandard('rv1909', slot) ?? slot)) !== key(slot))
    .map(({ slot }) => key(slot));
  expect(back).toEqual(['JDG.14.19', '1KI.22.44', '1CH.21.16']);
});

test('toStandard and fromStandard return the given verse where the two translations number it alike', () => {
  for (const each of [
    'GEN.1.1',
    'NUM.12.15',
    'NUM.14.1',
    'JOB.38.38',
    'JOB.41.1',
    'JHN.3.16',
    '2CO.13.11',
    'REV.22.21',
  ].map(place)) {
    expect(isListed(each)).toBe(false);
    expect([toStandard('rv1909', each), fromStandard('rv1909', each), toStandard('standard', each)]).toEqual([
      each,
      each,
      each,
    ]);
  }
});

test('renumber converts a verse number of one translation to the numbering of another translation', () => {
  expect(renumber(place('NUM.12.16'), 'standard', 'rv1909')).toEqual(place('NUM.13.1'));
  expect(renumber(place('NUM.13.1'), 'rv1909', 'standard')).toEqual(place('NUM.12.16'));
  expect(renumber(place('JOB.40.3'), 'standard', 'rv1909')).toEqual(place('JOB.39.30'));
  expect(renumber(place('JOB.39.30'), 'rv1909', 'rv1909')).toEqual(place('JOB.39.30'));
  expect(renumber(place('JON.1.17'), 'standard', 'standard')).toEqual(place('JON.1.17'));
});

test('renumber maps Romans 16:25-27 to Romans 14:24-26 of the World English Bible and back, and changes no other verse number', () => {
  for (const [standard, web] of [
    ['ROM.16.25', 'ROM.14.24'],
    ['ROM.16.26', 'ROM.14.25'],
    ['ROM.16.27', 'ROM.14.26'],
    ['ROM.14.23', 'ROM.14.23'],
    ['ROM.16.24', 'ROM.16.24'],
    ['NUM.12.16', 'NUM.12.16'],
  ] as const) {
    expect(renumber(place(standard), 'standard', 'web')).toEqual(place(web));
    expect(renumber(place(web), 'web', 'standard')).toEqual(place(standard));
    expect(renumber(place(web), 'web', 'rv1909')).toEqual(fromStandard('rv1909', place(standard)));
  }
  const shape = kjvShape('eng');
  const places = books.flatMap(({ code: book }) =>
    Array.from({ length: shape.chapterCount(book) }, (_, index) => index + 1).flatMap((chapter) =>
      shape.verses(book, chapter).map((verse): Place => ({ book, chapter, verse })),
    ),
  );
  expect(places).toHaveLength(31_102);
  expect(places.filter((each) => key(renumber(each, 'standard', 'web')) !== key(each)).map(key)).toEqual([
    'ROM.16.25',
    'ROM.16.26',
    'ROM.16.27',
  ]);
});
