import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureCorpus } from '@lectern/corpus';
import { freePort, metricValue } from '@lectern/testing';
import { temporaryFolder } from '../../corpus/test-support/temporary-folder';
import { dataDir } from '../test-support/open-or-build-real-corpus';
import { builtInModel } from './index';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

/** Starts the compiled command as a process. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(__dirname, '..', 'dist', 'main.js'), ...args], {
    env: { ...process.env, EMBEDDINGS_THREADS: '1', ...env },
  });
  children.push(child);
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
  return { child, ended, output: () => output };
}

/** Waits until the condition is true or the process has exited. */
async function until(condition: () => boolean, child: ChildProcess): Promise<void> {
  while (!condition() && child.exitCode === null) await wait(50);
}

test('SIGINT stops the command `embeddings build` with exit code 130, and the build keeps its checkpoint', async () => {
  await ensureCorpus({ dataDir, env: process.env, log: () => {} });
  const file = join(folder, 'eng-kjv.vec');
  const checkpoint = `${file}.passages`;
  const { child, ended } = start(['build', '--data', dataDir, '--translation', 'eng-kjv', '--file', file]);
  await until(() => existsSync(checkpoint) && statSync(checkpoint).size > 10_000, child);
  child.kill('SIGINT');
  expect(await ended).toEqual({
    code: 130,
    output: expect.stringContaining('stopped; the same command continues from here'),
  });
  expect(existsSync(file)).toBe(false);
  expect(statSync(checkpoint).size).toBeGreaterThan(10_000);
  expect(dirname(checkpoint)).toBe(folder);
});

test('after SIGTERM, the command `embeddings serve` finishes the request in flight and exits with 0', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = { PORT: String(port), METRICS_PORT: String(metricsPort), EMBEDDINGS_API_KEY: 'secret' };
  const { child, ended, output } = start(['serve'], env);
  await until(() => output().includes('serving embeddings'), child);
  const get = async (at: number, path: string) => (await fetch(`http://127.0.0.1:${at}${path}`)).text();
  expect([await get(port, '/health'), await get(port, '/ready')]).toEqual(['{"status":"ok"}', '{"status":"ready"}']);
  const embed = (input: string[], key = 'secret') =>
    fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: builtInModel.id, input }),
    });
  await embed(['query: a'], 'wrong');
  const status = 'http_route="/v1/embeddings",http_response_status_code="401"';
  const metrics = await get(metricsPort, '/metrics');
  expect(metricValue(metrics, 'http_server_request_duration_seconds_count', status)).toBe(1);
  const embedding = embed(Array.from({ length: 40 }, (_, index) => `query: ${index}`));
  await wait(20);
  child.kill('SIGTERM');
  expect(await (await embedding).json()).toMatchObject({ object: 'list', data: { length: 40 } });
  const { code, output: wholeOutput } = await ended;
  expect(code).toBe(0);
  expect(wholeOutput).not.toContain('secret');
});

test('the command `embeddings serve` exits with 1 for an invalid port, and prints one line that names the setting PORT', async () => {
  const { ended } = start(['serve'], { PORT: '99999' });
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain('PORT');
});
