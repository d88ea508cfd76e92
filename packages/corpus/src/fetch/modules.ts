import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type LockOptions, withFolderLock } from '@lectern/data-files';
import { findConf } from '../sword/conf';
import { importError } from '../translation';

export interface FetchOptions {
  /** The data folder. Downloaded modules are in its folder `sources`. */
  dataDir: string;
  /**
   * The environment variables. Two are read: SWORD_PATH (folders with modules, separated as in PATH) and
   * LECTERN_TEXT_MIRROR (the URL from which modules are downloaded instead of eBible.org).
   */
  env: NodeJS.ProcessEnv;
  /** Receives one line at a time: progress and warnings. */
  log: (line: string) => void;
  /** The folders that are searched after SWORD_PATH. Default: `systemSwordRoots`. */
  swordRoots?: readonly string[] | undefined;
}

export interface SourceModule {
  module: string;
  debianPackage: string;
  /** Returns the reason why a module cannot be used, or null. By default every module is usable. */
  check?: (confFile: string) => string | null;
}

/** The path of each module's .conf file, by module name. */
export type ModuleSources = ReadonlyMap<string, string>;

/** The suffix of folders in which modules are being downloaded and unpacked. */
const partSuffix = '.part';

/** The folder of a downloaded module. It has the same structure as /usr/share/sword. */
const downloadFolder = (dataDir: string, module: string): string => join(dataDir, 'sources', module);

/** The folders where distributions and SWORD applications install modules. */
export const systemSwordRoots = (env: NodeJS.ProcessEnv): readonly string[] => [
  '/usr/share/sword',
  '/usr/local/share/sword',
  join(env['HOME'] ?? homedir(), '.sword'),
];

/** Returns the .conf file of a usable module on this machine, or null. Logs a warning for each unusable module. */
export function findModule({ module, check }: SourceModule, options: FetchOptions): string | null {
  const { dataDir, env, log, swordRoots = systemSwordRoots(env) } = options;
  const fromEnv = (env['SWORD_PATH'] ?? '').split(delimiter).filter((root) => root !== '');
  for (const root of [...fromEnv, ...swordRoots, downloadFolder(dataDir, module)]) {
    let reason: string | null;
    try {
      const conf = findConf(root, module);
      if (conf === null) continue;
      reason = check?.(conf) ?? null;
      if (reason === null) return conf;
    } catch (error) {
      // The folder is not readable, or a file was deleted during the search.
      if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
      reason = (error as Error).message;
    }
    log(`warning: ${module} in ${root} is not used: ${reason}`);
  }
  return null;
}

/** Sorts modules into those on this machine and those that are missing. Downloads nothing. */
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

/** Runs `work` with an empty folder beside the modules, and deletes the folder afterwards. */
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

/**
 * Checks an unpacked module and moves it to its download folder. Returns the error message if the module is missing or
 * unusable, otherwise []. `from` names the download in the message.
 */
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

/**
 * Runs `work` while this process holds the lock of the data folder. Before, deletes the unfinished downloads of killed
 * processes. Throws an ImportError if the data comes from an earlier version of Lectern.
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
