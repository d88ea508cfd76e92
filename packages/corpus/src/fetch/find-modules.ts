import { existsSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findConf } from '../sword/find-conf';

export interface FetchOptions {
  /** Fetched modules lie in its folder `sources`. */
  dataDir: string;
  /** SWORD_PATH names folders with installed modules. */
  env: NodeJS.ProcessEnv;
  /** Called with one line at a time: progress and warnings. */
  log: (line: string) => void;
}

/** A SWORD module, whatever it holds, and where it comes from. */
export interface SourceModule {
  module: string;
  /** The Debian package that carries it. */
  debianPackage: string;
  /** Null for a module that can be used, else what is wrong with it. Without this every module of that name is taken. */
  check?: (confFile: string) => string | null;
}

/** Module name -> its .conf file. */
export type ModuleSources = ReadonlyMap<string, string>;

/** Where fetched modules lie, one folder for each, laid out as SWORD's own. */
const sourceFolder = (dataDir: string, module: string): string => join(dataDir, 'sources', module);

/** Folders that may hold installed modules, those that were asked for first. */
function swordRoots(env: NodeJS.ProcessEnv): string[] {
  const asked = (env['SWORD_PATH'] ?? '').split(delimiter).filter((root) => root !== '');
  return [...asked, '/usr/share/sword', '/usr/local/share/sword', join(env['HOME'] ?? homedir(), '.sword')];
}

/** The .conf of a module that is there and whole: installed, or fetched before. A module that cannot be read is reported and passed over. */
export function findModule(wanted: SourceModule, { dataDir, env, log }: FetchOptions): string | null {
  const { module } = wanted;
  for (const root of [...swordRoots(env), sourceFolder(dataDir, module)]) {
    const { conf, fault } = look(root, wanted);
    if (fault !== null) log(`warning: ${module} in ${root} is not used: ${fault}`);
    else if (conf !== null) return conf;
  }
  return null;
}

function look(root: string, { module, check }: SourceModule): { conf: string | null; fault: string | null } {
  try {
    const conf = findConf(root, module);
    return { conf, fault: conf === null ? null : (check?.(conf) ?? null) };
  } catch (error) {
    // A folder that we may not read, a file that goes while we do: there are other places to look.
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
    return { conf: null, fault: (error as Error).message };
  }
}

/** Which of these modules are on this machine. Nothing is fetched. */
export function findModules<Wanted extends SourceModule>(
  modules: readonly Wanted[],
  options: FetchOptions,
): { found: ModuleSources; missing: Wanted[] } {
  const found = new Map<string, string>();
  const missing: Wanted[] = [];
  for (const wanted of modules) {
    const conf = findModule(wanted, options);
    if (conf === null) missing.push(wanted);
    else found.set(wanted.module, conf);
  }
  return { found, missing };
}

/** Moves an unpacked module to where modules are looked for, once it is known to be whole. */
export function installModule(root: string, { module, check }: SourceModule, dataDir: string, from: string): string[] {
  const conf = findConf(root, module);
  if (conf === null) return [`${from} does not hold the module ${module}`];
  const fault = check?.(conf) ?? null;
  if (fault !== null) return [`${from}: ${fault}`];
  const target = sourceFolder(dataDir, module);
  if (existsSync(target)) rmSync(target, { recursive: true });
  renameSync(root, target);
  return [];
}
