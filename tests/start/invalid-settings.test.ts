import { join } from 'node:path';
import { itemsOfThisRun, spawnProcess, withFolder } from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';

/**
 * Runs a process with this environment. Resolves with its exit code and the lines of its output.
 */
const started = async (
  file: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<{ code: number | string; lines: string[] }> =>
  withFolder(async (folder) => {
    const { ended, output } = spawnProcess(file, { LECTERN_DATA: join(folder, 'data'), ...env }, args);
    const code = await ended;
    return { code, lines: output().trimEnd().split('\n') };
  });

const readMore = 'See docs/settings.md.';
const memoryLine = (least: number, given: string) =>
  `MEMORY_MB must be a whole number of megabytes from ${least}, which this process needs, to 1048576, or empty for the memory limit of the container, not '${given}'.`;

const processes: [string, string, string[], Record<string, string>, string[]][] = [
  [
    'packages/standalone/dist/main.js',
    'npm start',
    [],
    { PORT: '70000', WORKERS: '0', MEMORY_MB: '100', LOG_LEVEL: 'loud' },
    [
      "PORT must be a whole number from 1 to 65535, not '70000'.",
      "WORKERS must be auto or a whole number from 1 to 256, not '0'.",
      memoryLine(384, '100'),
      `LOG_LEVEL must be debug, info, warn, error, fatal or silent, not 'loud'. ${readMore}`,
    ],
  ],
  [
    'gateway/dist/main.js',
    'the gateway',
    [],
    { HOST: '[::1]', MEMORY_MB: '0', MAX_BODY_BYTES: '1MB', SUBGRAPH_TIMEOUT_MS: '5s', CORS_HEADERS: 'x-a, b c' },
    [
      "HOST must be an address such as 127.0.0.1 or ::1, or a name, not '[::1]'.",
      memoryLine(192, '0'),
      "SUBGRAPH_TIMEOUT_MS must be a whole number from 1 to 3600000, not '5s'.",
      "MAX_BODY_BYTES must be a whole number from 1 to 999999999, not '1MB'.",
      `CORS_HEADERS must be names of request headers, separated by commas, such as "Sentry-Trace, X-App-Version"; "b c" is not a header name. ${readMore}`,
    ],
  ],
  [
    'services/text/dist/main.js',
    'the text subgraph',
    [],
    { PORT: 'x', EXECUTION_STRATEGY: '' },
    [
      "PORT must be a whole number from 1 to 65535, not 'x'.",
      `EXECUTION_STRATEGY must be auto or standard, not ''. ${readMore}`,
    ],
  ],
  [
    'services/search/dist/main.js',
    'the search subgraph',
    [],
    { SEMANTIC_TRANSLATIONS: '../x', EMBEDDINGS_THREADS: '0', MEMORY_MB: '512MB' },
    [
      memoryLine(320, '512MB'),
      "SEMANTIC_TRANSLATIONS names '../x', which is not a translation identifier.",
      `EMBEDDINGS_THREADS must be a whole number from 1 to 256, not '0'. ${readMore}`,
    ],
  ],
  [
    'services/concordance/dist/main.js',
    'the concordance subgraph',
    [],
    {
      METRICS_PORT: '-1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '2',
    },
    [
      "METRICS_PORT must be a whole number from 0 to 65535, not '-1'.",
      "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that begins with http:// or https://, not 'collector:4318'.",
      "OTEL_TRACES_SAMPLER must be parentbased_always_on, parentbased_traceidratio, parentbased_always_off, always_on, traceidratio or always_off, not 'sometimes'.",
      `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not '2'. ${readMore}`,
    ],
  ],
  [
    'packages/standalone/dist/data-main.js',
    'npm run data',
    [],
    { LECTERN_DATA: '', EMBEDDINGS_POOLING: 'max' },
    [
      "LECTERN_DATA must name a folder, not ''.",
      `EMBEDDINGS_POOLING must be empty, mean or cls, not 'max'. ${readMore}`,
    ],
  ],
  [
    'gateway/dist/keys-main.js',
    'the keys command',
    ['list'],
    { LECTERN_ENVIRONMENT: 'prod', DATABASE_CONNECTIONS: '1' },
    [
      "LECTERN_ENVIRONMENT must be live or test, not 'prod'.",
      `DATABASE_CONNECTIONS must be a whole number from 2 to 1000, not '1'. ${readMore}`,
    ],
  ],
];

// `npm test` starts half of these processes in a run, and `npm run test:long` starts all.
test.each(itemsOfThisRun(processes, 2))(
  'the process %s (%s) exits with 1 and names every invalid setting with its actual and its allowed value',
  async (file, _, args, env, lines) => {
    expect(await started(file, env, args)).toEqual({ code: 1, lines });
  },
);

test('the startup errors of a gateway with invalid settings quote no secret and no password of a URL', async () => {
  const secret = 'hushhush';
  const { code, lines } = await started('gateway/dist/main.js', {
    OPERATOR_PASSWORD: secret,
    KEY_PEPPER: secret,
    REDIS_URL: `http://lectern:${secret}@redis`,
    DATABASE_URL: `mysql://lectern:${secret}@database`,
    SMTP_URL: secret,
    PUBLIC_URL: `ftp://lectern:${secret}@example.org`,
    SUBGRAPH_URLS: `text=ftp://lectern:${secret}@text`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `collector://lectern:${secret}@example.org`,
  });
  expect(code).toBe(1);
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'KEY_PEPPER',
    'DATABASE_URL',
    'PUBLIC_URL',
    'SMTP_URL',
    'SUBGRAPH_URLS:',
    'REDIS_URL',
    'OPERATOR_PASSWORD',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ]);
  expect(lines.join('\n')).not.toContain(secret);
});

test('a gateway with TRUSTED_DOCUMENTS_ONLY=on exits with an error that names the missing TRUSTED_DOCUMENTS', async () => {
  expect(await started('gateway/dist/main.js', { KEY_PEPPER: pepper, TRUSTED_DOCUMENTS_ONLY: 'on' })).toEqual({
    code: 1,
    lines: ['TRUSTED_DOCUMENTS_ONLY=on needs TRUSTED_DOCUMENTS: without it every request would be rejected.'],
  });
});
