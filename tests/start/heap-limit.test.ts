import { execFileSync } from 'node:child_process';
import { processOptionsFromEnv } from '@lectern/serving';
import { dataDir, freePort, metricValue, send, spawnProcess } from '@lectern/testing';
import { waitUntil } from '../support/processes';
import { childrenOf } from '../support/service-with-workers';

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
