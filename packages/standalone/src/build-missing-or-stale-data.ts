import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { concordanceFileKind } from '@lectern/concordance';
import { textKind } from '@lectern/corpus';
import { readCatalogueKeysIfUsable } from '@lectern/data-files';
import { searchFileKind } from '@lectern/search';
import { referenceWorksFile, studyFileKind } from '@lectern/study';
import type { DataOptions } from './data';
import { buildData } from './data';

/**
 * Builds the data before this process serves requests. If the data of a whole subgraph is missing,
 * a child process builds all data: the memory that building needs is freed when the child exits.
 * Then this process updates single files that are out of date.
 */
export async function ensureData(options: DataOptions): Promise<void> {
  if (!isDataComplete(options.dataDir)) await buildInChildProcess(options);
  // Checks only the headers of files, because a start must not read all translations. A damaged
  // file is noticed when it is opened.
  await buildData({ ...options, check: 'headers' });
}

/**
 * Returns whether each subgraph has a catalogue of its translations, and the study subgraph its
 * file of reference works. If so, only the files of single translations can be missing.
 */
const isDataComplete = (dataDir: string): boolean =>
  existsSync(referenceWorksFile(dataDir)) &&
  [textKind, searchFileKind, concordanceFileKind, studyFileKind].every(
    (kind) => readCatalogueKeysIfUsable(dataDir, kind, 'contents') !== null,
  );

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Builds the data in a child process. If the child fails, exits with the child's status. The child
 * has printed the reason.
 */
async function buildInChildProcess({ dataDir, env }: DataOptions): Promise<void> {
  const builder = spawn(process.execPath, [join(__dirname, 'data-main.js')], {
    stdio: 'inherit',
    env: { ...env, LECTERN_DATA: dataDir },
  });
  // Forwards stop signals. Without this, the child would continue alone, and its lock would delay
  // the next start.
  const stop = (signal: NodeJS.Signals) => void builder.kill(signal);
  for (const signal of stopSignals) process.on(signal, stop);
  const [status, signal] = (await once(builder, 'exit')) as [number | null, NodeJS.Signals | null];
  for (const each of stopSignals) process.off(each, stop);
  if (signal !== null) process.exit(128 + constants.signals[signal]);
  if (status !== 0) process.exit(status ?? 1);
}
