import { createPacer } from './index';

test('a pacer lets its first caller continue at once, and further callers one after another later, in the order of their calls', async () => {
  const continued: number[] = [];
  const pace = createPacer(5);
  const all = Promise.all([1, 2, 3, 4].map((number) => pace().then(() => continued.push(number))));
  await Promise.resolve();
  expect(continued).toEqual([1]);
  await all;
  expect(continued).toEqual([1, 2, 3, 4]);
});
