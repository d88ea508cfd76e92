import { books, chapterEnds } from '@lectern/canon';

/** The further books of the versification NRSVA. Imports must know how many verses to skip. */
const nrsvaApocrypha = {
  TOB: '22 14 17 21 22 18 16 21 6 13 18 22 17 15',
  JDT: '16 28 10 15 24 21 32 36 14 23 23 20 20 19 14 25',
  ESG: '22 23 15 17 14 14 10 17 32 13 12 6 18 19 16 24',
  WIS: '16 24 19 20 23 25 30 21 18 21 26 27 19 31 19 29 21 25 22',
  SIR: '30 18 31 31 15 37 36 19 18 31 34 18 26 27 20 30 32 33 30 31 28 27 27 34 26 29 30 26 28 25 31 24 33 31 26 31 31 34 35 30 22 25 33 23 26 20 25 25 16 29 30',
  BAR: '22 35 37 37 9 73',
  S3Y: '68',
  SUS: '64',
  BEL: '42',
  '1MA': '64 70 60 61 68 63 50 32 73 89 74 53 53 49 41 24',
  '2MA': '36 32 40 50 27 31 42 36 29 38 38 45 26 46 39',
  '1ES': '58 30 24 63 73 34 15 96 55',
  MAN: '15',
  PS2: '7',
  '3MA': '29 33 30 21 51 41 23',
  '2ES': '40 48 36 52 56 59 140 63 47 59 46 51 58 48 63 78',
  '4MA': '35 24 21 26 38 35 23 29 32 21 27 19 27 20 32 25 24 24',
} as const;

export interface VersificationBook {
  /** The USFM code, which may be one beyond the 66. */
  code: string;
  /** The number of verses of each chapter. */
  verses: readonly number[];
}

const table = (counts: Readonly<Record<string, string>>): VersificationBook[] =>
  Object.entries(counts).map(([code, verses]) => ({ code, verses: verses.split(' ').map(Number) }));

const kjv = books.map(({ code }): VersificationBook => ({ code, verses: chapterEnds('standard', code) }));
const [oldTestament, newTestament] = [kjv.slice(0, 39), kjv.slice(39)];

/** The books of each testament by versification. NRSVA has one more verse in 3JN 1 and REV 12. */
export const versifications: ReadonlyMap<string, Record<'ot' | 'nt', readonly VersificationBook[]>> = new Map([
  ['KJV', { ot: oldTestament, nt: newTestament }],
  [
    'NRSVA',
    {
      ot: [...oldTestament, ...table(nrsvaApocrypha)],
      nt: newTestament.map(({ code, verses }) => {
        const longer = { '3JN': 1, REV: 12 }[code];
        return { code, verses: verses.map((count, index) => (index + 1 === longer ? count + 1 : count)) };
      }),
    },
  ],
]);
