import { mergeInSteps } from './merge';

const words = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));

test('merging two large subgraph responses in alternating steps keeps all fields of an object that is in both responses', () => {
  const data: Record<string, unknown> = {};
  const merges = [
    mergeInSteps(data, { statistics: { verses: words(3_000) } }),
    mergeInSteps(data, { statistics: { words: words(5_000) } }),
  ];
  let pauses = 0;
  for (let running = merges; running.length > 0; running = running.filter((merge) => merge.next().done !== true))
    pauses += 1;
  expect(data).toEqual({ statistics: { verses: words(3_000), words: words(5_000) } });
  expect(pauses).toBeGreaterThan(1);
});
