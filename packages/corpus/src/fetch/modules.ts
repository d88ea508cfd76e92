import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type LockOptions, withFolderLock } from '@lectern/data-files';
import { findConf } from '../sword/module';
import { importError, isSystemError, messageOf } from '../translation';

export interface FetchOptions {
  /** The data folder. Modules are downloaded to its subfolder `sources`. */
  dataDir: string;
  /**
   * SWORD_PATH has folders with modules, separated as in PATH. LECTERN_TEXT_MIRROR replaces the URL of eBible.org. With
   * `off` in LECTERN_DOWNLOADS, nothing optional is downloaded.
   */
  env: NodeJS.ProcessEnv;
  /** Receives progress and warnings, one line at a time. */
  log: (line: string) => void;
  /** The folders that are searched after SWORD_PATH. Default: `systemSwordRoots`. */
  swordRoots?: readonly string[] | undefined;
}

export interface SourceModule {
  module: string;
  debianPackage: string;
  /** Returns why a module cannot be used, or null if it can. By default every module can be used. */
  check?: (confFile: string) => string | null;
}

/** Returns a `check` that says why `read` throws for a module, or null if it does not. */
export const checkByReading =
  (read: (confFile: string) => unknown) =>
  (confFile: string): string | null => {
    try {
      read(confFile);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  };

/** The path of each module's .conf file, by module name. */
export type ModuleSources = ReadonlyMap<string, string>;

/** The suffix of the names of temporary folders, in which modules are downloaded and unpacked. */
const partSuffix = '.part';

/** The folder of a downloaded module. It has the same structure as /usr/share/sword. */
export const downloadFolder = (dataDir: string, module: string): string => join(dataDir, 'sources', module);

/** Parses a list of folders, which is separated as in PATH. */
export const foldersIn = (list = ''): string[] => list.split(delimiter).filter((folder) => folder !== '');

/** The folders where distributions and SWORD applications install modules. */
export const systemSwordRoots = (env: NodeJS.ProcessEnv): readonly string[] => [
  '/usr/share/sword',
  '/usr/local/share/sword',
  join(env['HOME'] ?? homedir(), '.sword'),
];

/** Returns the .conf file of a usable module on this machine, or null. Logs a warning for each unusable module. */
function findModule({ module, check }: SourceModule, options: FetchOptions): string | null {
  const { dataDir, env, log, swordRoots = systemSwordRoots(env) } = options;
  for (const root of [...foldersIn(env['SWORD_PATH']), ...swordRoots, downloadFolder(dataDir, module)]) {
    let reason: string | null;
    try {
      const conf = findConf(root, module);
      if (conf === null) continue;
      reason = check?.(conf) ?? null;
      if (reason === null) return conf;
    } catch (error) {
      // The folder is not readable, or a file was deleted during the search.
      if (!isSystemError(error)) throw error;
      reason = error.message;
    }
    log(`warning: ${module} in ${root} is not used: ${reason}`);
  }
  return null;
}

/** Divides modules into those on this machine and those that are missing. Downloads nothing. */
export function findModules<Wanted extends SourceModule>(
  modules: readonly Wanted[],
  options: FetchOptions,
): { found: ModuleSources; missing: Wanted[] } {
  const found = new Map<string, string>();
  for (const wanted of modules) {
    const conf = findModule(wanted, options);
    if (conf !== null) found.set(wanted.module, conf);
  }
  return { found, missing: modules.filter(({ module }) => !found.has(module)) };
}

/** Calls `work` with an empty folder, which is in the same folder as the modules. Deletes it afterwards. */
export async function withWorkFolder<Result>(
  dataDir: string,
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  // The path is absolute, because programs run in the folder.
  const folder = resolve(dataDir, 'sources', `${name}${partSuffix}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks an unpacked module and moves it. Returns error messages, which name the download `from`, or []. */
export function installModule(root: string, { module, check }: SourceModule, dataDir: string, from: string): string[] {
  const conf = findConf(root, module);
  if (conf === null) return [`${from} does not hold the module ${module}`];
  const reason = check?.(conf) ?? null;
  if (reason !== null) return [`${from}: ${reason}`];
  const target = downloadFolder(dataDir, module);
  rmSync(target, { recursive: true, force: true });
  renameSync(root, target);
  return [];
}

export const digestModules = (
  sources: readonly { readonly id: string; readonly module: string; readonly digest: (conf: string) => string }[],
  found: ModuleSources,
): Record<string, string> =>
  Object.fromEntries(
    sources.flatMap(({ id, module, digest }) => {
      const conf = found.get(module);
      return conf === undefined ? [] : [[id, digest(conf)]];
    }),
  );

/** Runs `download` under the lock of the data folder. Never rejects, but resolves with error messages. */
export async function downloadMissing(
  { dataDir, env, log }: Pick<FetchOptions, 'dataDir' | 'env' | 'log'>,
  isComplete: () => boolean,
  download: () => Promise<string[]>,
): Promise<string[]> {
  if (env['LECTERN_DOWNLOADS'] === 'off') return ['`npm run data` downloads it'];
  // Another process may have downloaded the files while this process waited for the lock.
  const work = async () => (isComplete() ? [] : download());
  return withDataLock(dataDir, { log }, work).catch((error: unknown) => [messageOf(error)]);
}

/** Returns the error messages for the end of a warning line, or ''. */
export const inBrackets = (errors: readonly string[]): string =>
  errors.length === 0 ? '' : ` (${errors.join('; ').replace(/\s+/g, ' ')})`;

/**
 * Runs `work` while this process holds the lock of the data folder. First it deletes the unfinished downloads of
 * killed processes. Throws an ImportError if an earlier version of Lectern wrote the data.
 */
export const withDataLock = <Result>(
  dataDir: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> =>
  withFolderLock(dataDir, options, async () => {
    const oldFile = join(dataDir, 'corpus.sqlite');
    if (existsSync(oldFile))
      throw importError(
        `${oldFile} is of an earlier version of Lectern: delete it, run \`npm run data\`, and import your own translations again`,
      );
    const sources = join(dataDir, 'sources');
    for (const name of existsSync(sources) ? readdirSync(sources) : [])
      if (name.endsWith(partSuffix)) rmSync(join(sources, name), { recursive: true, force: true });
    return work();
  });
