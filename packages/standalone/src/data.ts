import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildConcordanceIndex, concordanceFileKind } from '@lectern/concordance';
import {
  buildDerivedTranslations,
  buildOfflinePackages,
  defaultJobs,
  defaultTranslations,
  type EnsureOptions,
  ensureCorpus,
  listTranslations,
  offlineFileKind,
  readOfflineTranslations,
  staleDerivedTranslations,
  staleIndexes,
  staleOfflinePackages,
  textKind,
} from '@lectern/corpus';
import type { FileCheck } from '@lectern/data-files';
import { isFolderChanged, readCatalogueKeysIfUsable, unfinishedFiles, withFolderLock } from '@lectern/data-files';
import { buildOriginals, isOriginalsUpToDate, originalTranslations } from '@lectern/originals';
import { buildSearchIndex, buildSemanticFiles, findStaleSemanticFiles, searchFileKind } from '@lectern/search';
import { buildStudyData, isReferenceWorksUpToDate, referenceWorksFile, studyFileKind } from '@lectern/study';

interface DataOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Receives the progress, one line at a time. */
  log: (line: string) => void;
  /** The maximum number of translations that are indexed at the same time. Default: one for each core. */
  jobs?: number;
  /** How existing files are checked. `contents`, the default, reads all, which takes a millisecond per megabyte. */
  check?: FileCheck;
}

/** Builds all data that is out of date. With the check `contents`, also deletes unfinished files. */
export async function buildData(options: DataOptions & Pick<EnsureOptions, 'check'>): Promise<void> {
  const { dataDir, env, log, check = 'contents' } = options;
  if (check === 'contents' && unfinishedFiles(dataDir).length > 0)
    await withFolderLock(dataDir, { log }, async () => undefined);
  await ensureCorpus({ dataDir, env, log, check });
  await buildIndexesAndVectors(options);
}

/** Builds derived files that are out of date, but no semantic search without the default translations it needs. */
export async function buildIndexesAndVectors(options: DataOptions): Promise<void> {
  const { dataDir, log, jobs = defaultJobs(), check = 'contents' } = options;
  const present = listTranslations(dataDir, 'headers');
  const missing = defaultTranslations.map(({ identifier }) => identifier).filter((each) => !present.has(each));
  // Who imports into an empty folder has asked for no other text.
  const env = missing.length > 0 ? { LECTERN_DOWNLOADS: 'off', ...options.env } : options.env;
  await buildOriginals({ dataDir, log, env, check });
  await buildDerivedTranslations(originalTranslations(dataDir), { dataDir, log, check });
  await buildSearchIndex({ dataDir, log, jobs, check });
  await buildConcordanceIndex({ dataDir, log, env, jobs, check });
  await buildOfflinePackages({ dataDir, translations: readOfflineTranslations(env), log, jobs, check });
  await buildStudyData({ dataDir, log, env, check });
  if (missing.length === 0) await buildSemanticFiles({ dataDir, env, log });
  else
    log(
      `${dataDir} has ${[...present.keys()].join(', ') || 'no translation'}; the default translations ${missing.join(', ')} and search by meaning are missing: \`npm run data\` builds them`,
    );
}

/** Resolves with a line for each translation or file that must be built or removed. Changes nothing. */
export async function findStaleData(dataDir: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const texts = listTranslations(dataDir, 'contents');
  const derived = staleDerivedTranslations(originalTranslations(dataDir), dataDir, 'contents');
  const stale = new Map<string, string[]>(derived.map(({ identifier }) => [identifier, ['text.sqlite']]));
  const addStale = (name: string, identifiers: readonly string[]): void => {
    for (const identifier of identifiers) stale.set(identifier, [...(stale.get(identifier) ?? []), name]);
  };
  for (const kind of [searchFileKind, concordanceFileKind, studyFileKind])
    addStale(kind.fileName, staleIndexes(dataDir, kind, 'contents'));
  const offline = staleOfflinePackages(dataDir, readOfflineTranslations(env), 'contents');
  addStale('offline packages', offline.toBuild);
  const semantic = await findStaleSemanticFiles({ dataDir, env, log: () => undefined });
  addStale('verses.vec', semantic?.toBuild ?? []);
  const lines = Array.from(stale, ([identifier, files]) =>
    texts.has(identifier) || derived.some((each) => each.identifier === identifier)
      ? `${identifier}: ${files.join(' and ')} must be built`
      : `${identifier}: text.sqlite cannot be used`,
  );
  for (const identifier of offline.toRemove) lines.push(`${identifier}: offline packages must be removed`);
  for (const identifier of semantic?.toRemove ?? []) lines.push(`${identifier}: verses.vec must be removed`);
  if (!isReferenceWorksUpToDate({ dataDir, env, check: 'contents' }))
    lines.push('reference-works.sqlite must be built');
  if (!isOriginalsUpToDate({ dataDir, env, check: 'contents' })) lines.push('originals.sqlite must be built');
  for (const file of [semantic?.sharedVectors, semantic?.phrases])
    if (file) lines.push(`${basename(file)} must be built`);
  const hasOtherFiles = [textKind, searchFileKind, concordanceFileKind, studyFileKind, offlineFileKind].some((kind) =>
    isFolderChanged(dataDir, kind),
  );
  return lines.length === 0 && hasOtherFiles ? ['the folders of translations are not those of the catalogues'] : lines;
}

/**
 * Builds missing data. Resolves when the default texts can be served, with the promise of the rest, or null. A child
 * process builds, so that its memory is freed.
 */
export async function ensureData(options: DataOptions): Promise<{ unfinished: Promise<void> | null }> {
  // The check `headers` is fast enough for each start. A damaged file is noticed when it is opened.
  const buildRest = () => buildData({ ...options, check: 'headers' });
  if (isDataComplete(options.dataDir)) {
    await buildRest();
    return { unfinished: null };
  }
  const unfinished = buildInChildProcess(options).then(buildRest);
  await Promise.race([unfinished, waitForDefaultTexts(options.dataDir)]);
  return { unfinished };
}

const checkTextsEveryMs = 250;

async function waitForDefaultTexts(dataDir: string): Promise<void> {
  for (;;) {
    const keys = readCatalogueKeysIfUsable(dataDir, textKind, 'headers') ?? [];
    const found = new Set(keys.map(({ identifier }) => identifier));
    if (defaultTranslations.every(({ identifier }) => found.has(identifier))) return;
    await wait(checkTextsEveryMs);
  }
}

/** Returns whether every subgraph has data. If so, only files of single translations can be missing. */
const isDataComplete = (dataDir: string): boolean =>
  existsSync(referenceWorksFile(dataDir)) &&
  [textKind, searchFileKind, concordanceFileKind, studyFileKind].every(
    (kind) => readCatalogueKeysIfUsable(dataDir, kind, 'contents') !== null,
  );

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** If the child process fails, exits with its status. Stays pending after a signal that something else handles. */
async function buildInChildProcess({ dataDir, env }: DataOptions): Promise<void> {
  const builder = spawn(process.execPath, [join(__dirname, 'data-main.js')], {
    stdio: 'inherit',
    env: { ...env, LECTERN_DATA: dataDir },
  });
  // Passes the signal on. Otherwise the child process would continue, and its lock would delay the next start.
  const stop = (signal: NodeJS.Signals) => void builder.kill(signal);
  for (const signal of stopSignals) process.on(signal, stop);
  process.once('exit', () => builder.kill());
  const [status, signal] = (await once(builder, 'exit')) as [number | null, NodeJS.Signals | null];
  for (const each of stopSignals) process.off(each, stop);
  if (signal !== null && process.listenerCount(signal) > 0) return new Promise(() => {});
  if (signal !== null) process.exit(128 + constants.signals[signal]);
  if (status !== 0) process.exit(status ?? 1);
}
