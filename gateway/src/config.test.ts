import { readConfig } from './config';

test.each(['banana', '-1', '2.5', '1000', '0x2', '1e2'])(
  'WORKERS=%s is rejected with a line that names the setting and its range',
  (workers) => {
    expect(() => readConfig({ WORKERS: workers })).toThrow(
      `WORKERS must be auto or a whole number from 1 to 256, not '${workers}'.`,
    );
  },
);

test.each([
  ['1', 1],
  [' 256 ', 256],
])('WORKERS=%j is read as %i worker processes', (workers, count) => {
  expect(readConfig({ WORKERS: workers }).WORKERS).toBe(count);
});
