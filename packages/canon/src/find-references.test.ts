import { itemsOfThisRun, runToEnd } from '@lectern/testing';
import { kjvShape } from '../fixtures/kjv-shape';
import { findReferences, referenceFailureMessage, type TranslationShape } from './index';

const english = kjvShape('eng');
const spanish = kjvShape('spa');
const search = (text: string, shape: TranslationShape = english) => runToEnd(findReferences(text, shape));
const find = (text: string, shape: TranslationShape = english) => {
  const result = search(text, shape);
  if (result.kind !== 'found') throw new Error(referenceFailureMessage(result));
  return result.references;
};
/** Returns each found reference, followed by the text at its range: `John 3:16 <jn 3:16>`. */
const found = (text: string, shape: TranslationShape = english) =>
  find(text, shape).map(({ reference, start, length }) => `${reference} <${text.slice(start, start + length)}>`);

test('findReferences returns the reference, book, status, verse count and position of each reference in a text', () => {
  expect(find('For God so loved the world (John 3:16-99); see John 99.')).toMatchObject([
    { reference: 'John 3:16-36', bookId: 'JHN', status: 'PARTIAL', verseCount: 21, start: 28, length: 12 },
    { reference: 'John 99', bookId: 'JHN', status: 'OUT_OF_RANGE', verseCount: 0, start: 47, length: 7 },
  ]);
});

test.each([
  [
    'see also Rom 8:28-30; 12:1 and 1 Cor. 13.',
    ['Romans 8:28-30,12:1 <Rom 8:28-30; 12:1>', '1 Corinthians 13 <1 Cor. 13>'],
  ],
  [
    'Gen 1; Gen 2; Ex 3:4; Matt 5, 6, 7 and jn 3:16',
    [
      'Genesis 1 <Gen 1>',
      'Genesis 2 <Gen 2>',
      'Exodus 3:4 <Ex 3:4>',
      'Matthew 5,6,7 <Matt 5, 6, 7>',
      'John 3:16 <jn 3:16>',
    ],
  ],
  [
    '[Gen 1:1-Ex 2:3], (cf. Luke 2:1ff), John 3:16a',
    ['Genesis 1:1-Exodus 2:3 <Gen 1:1-Ex 2:3>', 'Luke 2 <Luke 2:1ff>', 'John 3:16 <John 3:16a>'],
  ],
  ['in chapter 3 of John we read', ['John 3 <chapter 3 of John>']],
  ['Jude 5 and 2 John 5', ['Jude 1:5 <Jude 5>', '2 John 1:5 <2 John 5>']],
  ['John 3:16 NIV, John 3:17 (KJV)', ['John 3:16 <John 3:16>', 'John 3:17 <John 3:17>']],
  ['John 3:16 2 dogs', ['John 3:16 <John 3:16>']],
  ['John 3:-1, then John 3:16-1; 18', ['John 3 <John 3>', 'John 3:16 <John 3:16>']],
  [
    'Num. 15:37-41, Est 4:14 and 1ª Corintios 13',
    ['Numbers 15:37-41 <Num. 15:37-41>', 'Esther 4:14 <Est 4:14>', '1 Corinthians 13 <1ª Corintios 13>'],
  ],
  [
    'as in Ps. cxix. 105 and Rom. v. 1; viii. 28.',
    ['Psalms 119:105 <Ps. cxix. 105>', 'Romans 5:1,8:28 <Rom. v. 1; viii. 28>'],
  ],
  ['Is 7,14 and 2da de Timoteo 3:16', ['Isaiah 7:14 <Is 7,14>', '2 Timothy 3:16 <2da de Timoteo 3:16>']],
  [
    'Jer. 29:11 with v. 10; Heb. xi. passim, ver. 1 and 6',
    ['Jeremiah 29:11 <Jer. 29:11>', 'Jeremiah 29:10 <v. 10>', 'Hebrews 11 <Heb. xi>', 'Hebrews 11:1,6 <ver. 1 and 6>'],
  ],
  [
    'Gen. 7:24; 8:3 (but see 7:4, 12), at 7:30 we won 2:1; chapter 9; Ruth 2, then 3:1-5',
    [
      'Genesis 7:24,8:3 <Gen. 7:24; 8:3>',
      'Genesis 7:4,12 <7:4, 12>',
      'Genesis 9 <chapter 9>',
      'Ruth 2 <Ruth 2>',
      'Ruth 3:1-5 <3:1-5>',
    ],
  ],
  ['Matthew, chapter six, verse thirty-three', ['Matthew 6:33 <Matthew, chapter six, verse thirty-three>']],
  [
    'the second letter to the Corinthians, chapter 4',
    ['2 Corinthians 4 <the second letter to the Corinthians, chapter 4>'],
  ],
  ['Open your Bible at Joshua, chapter 1', ['Joshua 1 <Joshua, chapter 1>']],
  [
    'the sixth chapter of Matthew, verses 9 to 13; psalm twenty-three',
    ['Matthew 6:9-13 <the sixth chapter of Matthew, verses 9 to 13>', 'Psalms 23 <psalm twenty-three>'],
  ],
  ['read Exodus xx. It', ['Exodus 20 <Exodus xx>']],
  ['Ps 22(23):1 and the twenty-third Psalm', ['Psalms 22:1 <Ps 22(23):1>', 'Psalms 23 <the twenty-third Psalm>']],
  ['Mk 1.1-3.5; 4, then Rom 8,28ss', ['Mark 1:1-3:5; Mark 4 <Mk 1.1-3.5; 4>', 'Romans 8:28-39 <Rom 8,28ss>']],
  ['Reading Numbers 12 & John 11 this morning', ['Numbers 12 <Numbers 12>', 'John 11 <John 11>']],
  ['1 Timothy 3:16. 2 Tim 3:16-17', ['1 Timothy 3:16 <1 Timothy 3:16>', '2 Timothy 3:16-17 <2 Tim 3:16-17>']],
  ['by oppression he was taken: Is 53:8, Am 3:7', ['Isaiah 53:8 <Is 53:8>', 'Amos 3:7 <Am 3:7>']],
])('findReferences returns every reference in %j, normalized, with its range in the text', (text, references) =>
  expect(found(text)).toEqual(references),
);

test.each([
  'she is 2 cool, I am 3 years old, mark my words, acts of 5 kings, a job 3 times, in 2 days at 3:16 pm',
  'Is 2 enough? So 3 came. No 3 ways. On Mar 3, 2024 and Jan 5. Act 2, Song 3. Room 3:16, Ed 2, Number 5',
  'Pope John XXIII, King James II. John and I, 3 friends; Isaiah in the LXX, and John V. said so',
  'Dan 4 books, Ex 20 years ago, Mark 3 times; Juan 3 veces, Marcos 5 años; Acts 2 of the play',
  'Genesis is a book, and so are Job, Mark, Acts and Ruth. The ratio was 3:16.',
  'Juan tiene 3 perros, es 3, la 3, no 3, de 3, este 3, ha 3 años, son 3:16',
  'Nonexistent 1:1, Tobit 3, 1 Maccabees 3',
  '',
  ' ',
  '\0',
  '3:16',
])('findReferences returns [] for %j, a text without references', (text) => {
  expect(found(text)).toEqual([]);
  expect(found(text, spanish)).toEqual([]);
});

test('findReferences finds no reference in a long text of semicolons, which separate references', () => {
  expect(found(';'.repeat(10_000))).toEqual([]);
  expect(found(';'.repeat(10_000), spanish)).toEqual([]);
});

test('findReferences parses Spanish references such as "Juan 3,16" for a Spanish translation', () => {
  expect(
    found('Como dice Juan 3,16 y Salmos 23; 1ra Juan 4:8, Primera de Pedro 1,3-5. Véase Mt 5,3.9', spanish),
  ).toEqual([
    'Juan 3:16 <Juan 3,16>',
    'Salmos 23 <Salmos 23>',
    '1 Juan 4:8 <1ra Juan 4:8>',
    '1 Pedro 1:3-5 <Primera de Pedro 1,3-5>',
    'Mateo 5:3,9 <Mt 5,3.9>',
  ]);
});

test('findReferences returns positions in the original text, not in the normalized text', () => {
  expect(found('😀 e\u0301 John 3：16; 1 Jn 4:8\u200f; Ｐｓ １１９:１–３, \u200fJohn\u200e 3:16\u0301!')).toEqual([
    'John 3:16 <John 3：16>',
    '1 John 4:8 <1 Jn 4:8>',
    'Psalms 119:1-3 <Ｐｓ １１９:１–３>',
    'John 3:16 <John\u200e 3:16\u0301>',
  ]);
  expect(found('\ud800 E\u0301xodo 20:1', spanish)).toEqual(['Éxodo 20:1 <E\u0301xodo 20:1>']);
});

test('findReferences counts all 31,102 verses of the King James Version for a reference to the whole Bible', () => {
  expect(find('Gen 1 - Rev 22')).toMatchObject([{ bookId: 'GEN', status: 'OK', verseCount: 31_102 }]);
});

test('findReferences returns at most 200 references, and rejects a text of more than 10,000 characters', () => {
  expect(find('John 3:16; '.repeat(1000).slice(0, 10_000))).toHaveLength(200);
  expect(search('x'.repeat(10_001))).toEqual({ kind: 'text-too-long' });
  expect(referenceFailureMessage({ kind: 'text-too-long' })).toBe('text must be 10000 characters or fewer');
});

test('findReferences finds references that are thousands of characters apart', () => {
  const words = 'and he spoke of John and of the Acts '.repeat(60);
  const text = `Gen 1:1 ${words}Jn 3:16 ${words}Ps ١:٢ ${words}`;
  expect(find(text).map(({ reference, start }) => [reference, start])).toEqual([
    ['Genesis 1:1', 0],
    ['John 3:16', 8 + words.length],
    ['Psalms 1:2', 16 + 2 * words.length],
  ]);
});

/** `npm test` checks a third of these texts, and `npm run test:long` checks all. */
const repeated = [
  ' ',
  '\t',
  'capítulo ',
  "d' ",
  'Ps 1,',
  '(1 ',
  '[[((',
  '1-',
  'Gen 1-Rev 22; ',
  'e\u0301😀',
  'chapter 3 of John ',
  'First Epistle of ',
  '1 1 John ',
  'Księga ',
  '\ud800',
  '\x1f0\x1f 3 ',
  'Juan 3,16,',
  'a\u0301\u0301\u0301',
  '约',
  '三',
  '第三',
  'א',
  'one hundred and ',
  'Juan uno ',
  'Primera carta a los ',
  '1 de la ',
  'Jn',
];
test.each(itemsOfThisRun(repeated, 3))(
  'findReferences returns at most 200 references within 4 seconds for a text of the maximum length that repeats %j',
  (piece) => {
    const text = `Ps ${piece.repeat(10_000)}`.slice(0, 10_000);
    const start = performance.now();
    expect(find(text, spanish).length).toBeLessThanOrEqual(200);
    // Every case takes less than half a second on an idle machine. A pattern that takes quadratic
    // time needs many seconds.
    expect(performance.now() - start).toBeLessThan(4_000);
    for (const { start, length } of find(text, spanish)) {
      expect(length).toBeGreaterThan(0);
      expect(start + length).toBeLessThanOrEqual(10_000);
    }
  },
);

const separators = [' ', '\t', '\u00a0', '*', ' *'];

test.each(separators)(
  'findReferences returns positions in the original text if %j stands 40 times between a book and its chapter',
  (separator) => {
    const run = separator.repeat(40);
    const text = `${run}See${run}Jn${run}3:16${run}and Mark 2:1${run}`;
    expect(find(text).map(({ reference, start, length }) => [reference, text.slice(start, start + length)])).toEqual([
      ['John 3:16', `Jn${run}3:16`],
      ['Mark 2:1', 'Mark 2:1'],
    ]);
  },
);

test.each(separators)(
  'findReferences finds no reference if %j stands 200 times between a book and its chapter',
  (separator) => {
    expect(find(`Jn${separator.repeat(200)}3:16`)).toEqual([]);
  },
);

/** Returns the time of the fastest of three searches, in milliseconds. */
function fastest(text: string): number {
  const times = [0, 1, 2].map(() => {
    const startedAt = performance.now();
    search(text);
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

test.each([
  ' ',
  '\t',
  '\n',
  '\r',
  '\u00a0',
  '\u2003',
  '\u3000',
  '\u2028',
  '\0',
  '\x1f',
  '*',
  '* ',
  ' *\n',
  '"',
  "' ",
  ',',
  ', ',
  'a ',
  'é',
  'ch ',
])('findReferences takes less than 20 times as long for a text that repeats %j as for words and numbers', (piece) => {
  const length = 10_000;
  const run = `Jn${piece.repeat(length).slice(0, length - 6)}3:16`;
  const words = 'word 12 '.repeat(length / 8);
  // A parser in quadratic time would take 80 times as long for the run as for words and numbers
  // of the same length.
  let ratio = Infinity;
  for (let tries = 0; tries < 5 && ratio >= 20; tries += 1) ratio = Math.min(ratio, fastest(run) / fastest(words));
  expect(ratio).toBeLessThan(20);
});
