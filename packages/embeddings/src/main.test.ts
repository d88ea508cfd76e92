import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureCorpus } from '@lectern/corpus';
import { listen } from '@lectern/serving';
import { dataDir, fetchingMs } from '../test-support/real-corpus';
import { temporaryFolder } from '../test-support/temporary-folder';
import { builtInModel } from '.';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

/** The command in a process of its own, as a person starts and stops it. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    [join(__dirname, '..', 'test-support', 'run-source.cjs'), join(__dirname, 'main.ts'), ...args],
    { env: { ...process.env, EMBEDDINGS_THREADS: '1', ...env } },
  );
  children.push(child);
  let said = '';
  const hear = (piece: Buffer): void => void (said += piece.toString());
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said })),
  );
  return { child, ended, said: () => said };
}

/** Waits as long as the process lives. */
async function until(holds: () => boolean, child: ChildProcess): Promise<void> {
  while (!holds() && child.exitCode === null) await wait(50);
}

/** One that nothing listened on a moment ago. */
async function freePort(): Promise<string> {
  const listening = await listen(createServer(), { host: '127.0.0.1', port: 0 });
  await listening.close();
  return String(listening.port);
}

test(
  'Ctrl-C in the middle of building stops at once, keeps what was computed and says how to go on',
  async () => {
    await ensureCorpus({ dataDir, env: process.env, log: () => {} });
    const file = join(folder, 'eng-kjv.vec');
    const checkpoint = `${file}.passages`;
    const { child, ended } = start(['build', '--data', dataDir, '--translation', 'eng-kjv', '--file', file]);
    await until(() => existsSync(checkpoint) && statSync(checkpoint).size > 10_000, child);
    child.kill('SIGINT');
    expect(await ended).toEqual({
      code: 130,
      said: expect.stringContaining('stopped; the same command goes on from here'),
    });
    expect(existsSync(file)).toBe(false);
    expect(statSync(checkpoint).size).toBeGreaterThan(10_000);
    expect(dirname(checkpoint)).toBe(folder);
  },
  fetchingMs,
);

test('serve answers until it is told to stop, and ends with 0', async () => {
  const port = await freePort();
  const { child, ended, said } = start(['serve'], { PORT: port, EMBEDDINGS_API_KEY: 'secret' });
  await until(() => said().includes('serving embeddings'), child);
  const response = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret' },
    body: JSON.stringify({ model: builtInModel.id, input: ['query: a', 'query: b'] }),
  });
  expect(await response.json()).toMatchObject({ object: 'list', data: [{ index: 0 }, { index: 1 }] });
  child.kill('SIGTERM');
  const { code, said: all } = await ended;
  expect(code).toBe(0);
  expect(all).not.toContain('secret');
}, 30_000);

test('a port that cannot be had is told in one line', async () => {
  const { ended } = start(['serve'], { PORT: '99999' });
  const { code, said } = await ended;
  expect(code).toBe(1);
  expect(said.trim().split('\n')).toHaveLength(1);
  expect(said).toContain('PORT');
}, 30_000);
