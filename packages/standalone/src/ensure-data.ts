import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { DataOptions } from './build-data';
import { buildData, dataFiles } from './build-data';

/**
 * `buildData` for a process that goes on to serve. Where files are missing they are made by a process of their own: the memory that
 * building takes is given back with it.
 */
export async function ensureData(options: DataOptions): Promise<void> {
  if (!Object.values(dataFiles(options.dataDir)).every((file) => existsSync(file))) await buildApart(options);
  await buildData(options);
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

async function buildApart({ dataDir, env }: DataOptions): Promise<void> {
  const builder = spawn(process.execPath, [join(__dirname, 'data-main.js')], {
    stdio: 'inherit',
    env: { ...env, LECTERN_DATA: dataDir },
  });
  // Whoever stops us means it too: it would go on alone, and keep the next start waiting.
  const stop = (signal: NodeJS.Signals) => void builder.kill(signal);
  for (const signal of stopSignals) process.on(signal, stop);
  const [status, signal] = (await once(builder, 'exit')) as [number | null, NodeJS.Signals | null];
  for (const each of stopSignals) process.off(each, stop);
  // It has said why.
  if (signal !== null) process.exit(128 + constants.signals[signal]);
  if (status !== 0) process.exit(status ?? 1);
}
