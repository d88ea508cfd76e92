import { readConfig, settings } from './config';

const REDIS_URL = 'redis://127.0.0.1:6379';

test.each(['banana', '-1', '2.5', '1000', '0x2', '1e2'])(
  'WORKERS=%s is rejected with an error that names the setting and its range',
  (workers) => {
    expect(() => readConfig({ WORKERS: workers })).toThrow(
      `WORKERS must be auto or a whole number from 1 to 256, not '${workers}'.`,
    );
  },
);

test.each([
  ['1', 1],
  [' 256 ', 256],
])('WORKERS=%j is read as the number %i', (workers, count) => {
  expect(readConfig({ WORKERS: workers, REDIS_URL }).WORKERS).toBe(count);
});

test('several WORKERS without REDIS_URL are rejected with an error that says how to set both', () => {
  expect(() => readConfig({ WORKERS: '2' })).toThrow(
    'WORKERS=2 needs REDIS_URL, because workers count rate limits together in Redis. Set REDIS_URL, such as redis://127.0.0.1:6379, or set WORKERS to 1.',
  );
});

test.each(['', 'correct horse battery staple', 'olga:correct: horse;, Piet:battery staple'])(
  'OPERATOR_PASSWORD=%j is accepted',
  (text) => expect(readConfig({ OPERATOR_PASSWORD: text }).OPERATOR_PASSWORD).toBe(text),
);

test.each([
  ['a short password', 'hushhushhus'],
  ['a short password of a name', 'olga:correct horse,piet:hushhushhus'],
  ['a password without a name in a list', 'olga:correct horse,hushhushhushhush'],
  ['two equal names', 'olga:hushhushhush,Olga:hushhushhushhush'],
  ['two equal passwords', 'olga:hushhushhush,piet:hushhushhush'],
  ['a name with a blank', 'olga:correct horse,piet k:hushhushhush'],
  ['the name of the command', 'olga:correct horse,command:hushhushhush'],
  ['the name of the form', 'olga:correct horse,Form:hushhushhush'],
  ['the name for all operators', 'olga:correct horse,operator:hushhushhush'],
  ['an empty item', 'olga:hushhushhush,'],
])('OPERATOR_PASSWORD with %s is rejected with an error that has no password', (_, text) => {
  const read = () => readConfig({ OPERATOR_PASSWORD: text });
  expect(read).toThrow('OPERATOR_PASSWORD must be one password, or NAME:PASSWORD,NAME:PASSWORD');
  expect(read).not.toThrow('hush');
});

test('OPERATOR_PASSWORD with one name is rejected, because it may be an older password with a colon', () => {
  const read = () => readConfig({ OPERATOR_PASSWORD: 'correct:hush-battery-staple' });
  expect(read).toThrow(
    'has a colon and only one item, so it is not known whether it is one password or a name with a password',
  );
  expect(read).not.toThrow('hush');
});

const cacheSizes = (env: Record<string, string>) => {
  const { RESPONSE_CACHE_BYTES, OPERATION_CACHE_BYTES, PERSISTED_QUERIES_BYTES } = readConfig(env);
  return [RESPONSE_CACHE_BYTES, OPERATION_CACHE_BYTES, PERSISTED_QUERIES_BYTES].map((bytes) => bytes / 2 ** 20);
};

test('each cache of a worker takes 1/32 of MEMORY_MB divided by WORKERS, unless a setting gives the size of the cache', () => {
  expect(cacheSizes({ MEMORY_MB: '256' })).toEqual([8, 8, 8]);
  expect(cacheSizes({ MEMORY_MB: '512', WORKERS: '2', REDIS_URL })).toEqual([8, 8, 8]);
  expect(cacheSizes({ MEMORY_MB: '256', RESPONSE_CACHE_BYTES: '0', OPERATION_CACHE_BYTES: '67108864' })).toEqual([
    0, 64, 8,
  ]);
});

test('each cache has its default size if MEMORY_MB is large, or if MEMORY_MB is empty outside a container', () => {
  const { RESPONSE_CACHE_BYTES, OPERATION_CACHE_BYTES, PERSISTED_QUERIES_BYTES } = settings;
  const defaults = [RESPONSE_CACHE_BYTES, OPERATION_CACHE_BYTES, PERSISTED_QUERIES_BYTES].map(
    (setting) => Number(setting.default) / 2 ** 20,
  );
  const noLimit = jest.spyOn(process, 'constrainedMemory').mockReturnValue(0);
  try {
    expect(cacheSizes({ MEMORY_MB: '65536' })).toEqual(defaults);
    expect(cacheSizes({ MEMORY_MB: '' })).toEqual(defaults);
  } finally {
    noLimit.mockRestore();
  }
});

test('each cache takes 1/32 of MEMORY_MB, or of the memory limit of the container if MEMORY_MB is not set', () => {
  const limit = jest.spyOn(process, 'constrainedMemory').mockReturnValue(256 * 2 ** 20);
  try {
    expect(cacheSizes({})).toEqual([8, 8, 8]);
    expect(cacheSizes({ MEMORY_MB: '384' })).toEqual([12, 12, 12]);
  } finally {
    limit.mockRestore();
  }
});

test('a MEMORY_MB that is too small for WORKERS is rejected, and the error names values of both that suffice', () => {
  expect(() => readConfig({ MEMORY_MB: '500', WORKERS: '4', REDIS_URL })).toThrow(
    'MEMORY_MB=500 is too little for WORKERS=4, because each worker needs 192. Set MEMORY_MB to 768 or more, or WORKERS to 2 or less.',
  );
});

test('reading an unknown setting from the configuration of the gateway throws an error that names the setting', () => {
  for (const env of [{ MEMORY_MB: '65536' }, { MEMORY_MB: '256' }]) {
    const config: Readonly<Record<string, unknown>> = readConfig(env);
    expect(() => config['RESPONSE_CACHE_SIZE']).toThrow('RESPONSE_CACHE_SIZE');
  }
});
