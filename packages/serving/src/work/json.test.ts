import { stringifyInSteps } from './json';

function runToEnd(value: unknown) {
  const steps = stringifyInSteps(value);
  for (let count = 0; ; count += 1) {
    const step = steps.next();
    if (step.done === true) return { count, text: step.value.toString('utf8') };
  }
}

const verses = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `v${index}`,
    text: 'ἐν ἀρχῇ "היה"\n',
    words: [{ start: index }, null],
  }));

test.each<[string, unknown]>([
  ['null', null],
  ['an empty object', {}],
  [
    'a large object with undefined and __proto__',
    Object.assign(JSON.parse('{"a":1,"__proto__":{"b":[]}}'), { none: undefined, list: verses(1_000) }),
  ],
  ['a large list', { errors: [], data: { list: verses(20_000), other: { none: [], empty: {} } } }],
  ['a large list of lists', Array.from({ length: 300 }, () => verses(10))],
  ['an object with many keys', Object.fromEntries(verses(5_000).map((verse) => [verse.id, verse]))],
  ['an object with long texts', { errors: [], data: { short: 'ἐν', long: 'ἀρχῇ'.repeat(100_000), none: null } }],
  ['a long text', '"היה"\n'.repeat(100_000)],
  ['a list of undefined', Array.from({ length: 3_000 }, () => undefined)],
])(
  'stringifyInSteps, which writes JSON without blocking the event loop, returns the same JSON as JSON.stringify for %s',
  (_, value) => {
    expect(runToEnd(value).text).toBe(JSON.stringify(value));
  },
);

test('stringifyInSteps yields to other work many times while it writes a long list of objects', () => {
  expect(runToEnd(verses(20_000)).count).toBeGreaterThan(10);
});

test('stringifyInSteps yields to other work at least once for each long text that it writes', () => {
  const texts = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`text${index}`, 'a'.repeat(100_000)]));
  expect(runToEnd({ data: { passage: texts } }).count).toBeGreaterThanOrEqual(20);
});
