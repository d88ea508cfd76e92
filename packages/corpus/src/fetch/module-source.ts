import { existsSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { DefaultEdition } from '../default-editions';
import { isImportError } from '../import-error';
import { findConf, openModule } from '../sword/module';

export interface FetchOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/** Where fetched modules lie, one folder for each, laid out as SWORD's own. */
export const sourceFolder = (dataDir: string, edition: DefaultEdition): string => join(dataDir, 'sources', edition.module);

/** Folders that may hold installed modules, those that were asked for first. */
function swordRoots(env: NodeJS.ProcessEnv): string[] {
  const asked = (env['SWORD_PATH'] ?? '').split(delimiter).filter((root) => root !== '');
  return [...asked, '/usr/share/sword', '/usr/local/share/sword', join(env['HOME'] ?? homedir(), '.sword')];
}

/** The .conf of a module that is there and whole: installed, or fetched before. A module that cannot be read is reported and passed over. */
export function findModule(edition: DefaultEdition, dataDir: string, env: NodeJS.ProcessEnv, log: (line: string) => void): string | null {
  for (const root of [...swordRoots(env), sourceFolder(dataDir, edition)]) {
    const conf = findConf(root, edition.module);
    const fault = conf === null ? null : checkModule(conf, edition);
    if (conf !== null && fault === null) return conf;
    if (fault !== null) log(`warning: ${edition.module} in ${root} is not used: ${fault}`);
  }
  return null;
}

/**
 * Null for a module that can be imported. Its known digest vouches for its bytes; of another version every
 * block is unpacked, for each carries its own checksum.
 */
export function checkModule(conf: string, edition: DefaultEdition): string | null {
  try {
    const module = openModule(conf);
    if (module.testaments.length < 2) return 'it lacks a testament';
    if (module.digest !== edition.digest) for (const entry of module.entries()) if (entry.text === '') return 'it is empty';
    return null;
  } catch (error) {
    if (isImportError(error)) return error.message;
    throw error;
  }
}

/** Moves an unpacked module to where modules are looked for, once it is known to be whole. */
export function putInPlace(root: string, edition: DefaultEdition, dataDir: string, from: string): string[] {
  const conf = findConf(root, edition.module);
  if (conf === null) return [`${from} does not hold the module ${edition.module}`];
  const fault = checkModule(conf, edition);
  if (fault !== null) return [`${from}: ${fault}`];
  const target = sourceFolder(dataDir, edition);
  if (existsSync(target)) rmSync(target, { recursive: true });
  renameSync(root, target);
  return [];
}
