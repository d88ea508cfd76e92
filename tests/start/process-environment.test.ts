import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { processOptionsFromEnv } from '@lectern/serving';
import {
  dataDir,
  freePort,
  linkData,
  metricValue,
  repositoryRoot,
  send,
  spawnProcess,
  startProcess,
  withFolder,
} from '@lectern/testing';
import { childrenOf, waitUntil } from '../support/processes';

test('npm starts a service with half of MEMORY_MB as its heap limit, and with MALLOC_ARENA_MAX=2 in its environment', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const started = spawnProcess(
    'scripts/start-service.mjs',
    { LECTERN_DATA: dataDir, MEMORY_MB: '512', PORT: String(port), METRICS_PORT: String(metricsPort) },
    ['services/concordance/dist/main.js'],
  );
  const get = (on: number, path: string) =>
    send(`http://127.0.0.1:${on}${path}`, { method: 'GET' }).catch(() => ({ status: 0, text: '' }));
  try {
    await waitUntil(async () => started.child.exitCode !== null || (await get(port, '/ready')).status === 200);
    expect(started.child.exitCode).toBeNull();
    const heapLimit = metricValue((await get(metricsPort, '/metrics')).text, 'lectern_heap_limit_bytes');
    // The limit is 256 MiB, half of MEMORY_MB, and 48 MiB that V8 adds for new objects.
    expect(Math.floor(heapLimit / 2 ** 20)).toBe(256 + 48);
    const [service] = childrenOf(started);
    expect(execFileSync('ps', ['eww', '-o', 'command=', String(service)], { encoding: 'utf8' })).toContain(
      'MALLOC_ARENA_MAX=2',
    );
    expect(started.output()).not.toContain('MEMORY_MB');
  } finally {
    started.child.kill('SIGTERM');
  }
  expect(await started.ended).toBe(0);
});

test('a process with less than 256 MB gets small spaces for new objects, unless NODE_OPTIONS sets their size', () => {
  const optionsOf = (env: NodeJS.ProcessEnv) => processOptionsFromEnv(env).execArgv.join(' ');
  expect(optionsOf({ MEMORY_MB: '160' })).toContain('--max-semi-space-size=2');
  expect(optionsOf({ MEMORY_MB: '256' })).not.toContain('semi-space');
  expect(optionsOf({ MEMORY_MB: '160', NODE_OPTIONS: '--max-semi-space-size=8' })).not.toContain('semi-space');
});

test('without OTEL_EXPORTER_OTLP_ENDPOINT, the function startTelemetry loads no OpenTelemetry SDK and no exporter', () => {
  const script = `
    const { startTelemetry } = require('./packages/telemetry/dist');
    const config = { METRICS_PORT: 0, METRICS_HOST: '127.0.0.1', OTEL_EXPORTER_OTLP_ENDPOINT: process.argv[1] ?? '' };
    startTelemetry({ service: 'text', config, log: { info() {}, warn() {} } }).then(({ close }) => {
      console.log(Object.keys(require.cache).filter((file) => /@opentelemetry.(sdk|exporter|otlp|core|resources)/.test(file)).length);
      return close();
    });`;
  const loaded = (...args: string[]): number =>
    Number(execFileSync(process.execPath, ['-e', script, ...args], { cwd: repositoryRoot, encoding: 'utf8' }));
  expect(loaded()).toBe(0);
  expect(loaded('http://127.0.0.1:1')).toBeGreaterThan(0);
});

const run = promisify(execFile);
const issueKey = ['issue', '--email', 'reader@example.org', '--name', 'Reader'];

test('a process started with node resolves a relative path in LECTERN_DATA against its working directory', async () => {
  await withFolder(async (folder) => {
    mkdirSync(join(folder, 'store'));
    await run(process.execPath, [join(repositoryRoot, 'gateway/dist/keys-main.js'), ...issueKey], {
      cwd: folder,
      env: { PATH: process.env['PATH'], LECTERN_DATA: 'store' },
    });
    expect(existsSync(join(folder, 'store', 'keys.sqlite'))).toBe(true);
  });
});

test('an npm script resolves a relative LECTERN_DATA against the root of the repository, from any folder', async () => {
  await withFolder(async (folder) => {
    await run('npm', ['run', '--silent', 'keys', '--', ...issueKey], {
      cwd: join(repositoryRoot, 'docs'),
      env: { ...process.env, LECTERN_DATA: relative(repositoryRoot, folder) },
    });
    expect(existsSync(join(folder, 'keys.sqlite'))).toBe(true);
  });
});

test('the startup message names the data folder with its absolute path, even if LECTERN_DATA is relative', async () => {
  await withFolder(async (folder) => {
    mkdirSync(join(folder, 'data'));
    linkData(join(folder, 'data'));
    const started = await startProcess(
      'packages/standalone/dist/main.js',
      { LECTERN_DATA: 'data', LECTERN_ENVIRONMENT: 'live', SEMANTIC_TRANSLATIONS: '' },
      '/ready',
      { cwd: folder },
    );
    await waitUntil(() => started.output().includes('curl'));
    expect(started.output()).toContain(`--data '${join(folder, 'data')}'\n`);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  });
});
