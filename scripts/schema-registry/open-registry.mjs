import { usageError } from '../command-line.mjs';
import { openFolderStore } from './folder-store.mjs';
import { openGitStore } from './git-store.mjs';

/**
 * A place for a few text files. `write` writes the files in their order. It resolves with false if a
 * file has changed since `read` returned `version`, or if it exists although `version` is null. A file
 * without `version` is replaced in any case.
 *
 * @typedef {{ file: string, text: string, version?: string | null }} NewFile
 * @typedef {object} FileStore
 * @property {string} name the location without secrets, for messages
 * @property {(file: string) => Promise<{ text: string, version: string } | null>} read
 * @property {(files: NewFile[], message: string) => Promise<boolean>} write
 * @property {() => void} [close]
 */

export const locations = `The registry is SCHEMA_REGISTRY or --registry:
  FOLDER                        a folder
  git+URL#BRANCH:FOLDER         a folder in a git repository, such as git+ssh://git@example.org/schemas.git#main:lectern;
                                SCHEMA_REGISTRY_TOKEN is the token for git+https:`;

/**
 * Opens the registry at this location.
 *
 * @param {string | undefined} location
 * @returns {FileStore}
 */
export function openRegistry(location) {
  if (!location) throw usageError('No registry: set SCHEMA_REGISTRY, or use --registry. See --help.');
  if (location.startsWith('git+')) return openGitStore(location.slice('git+'.length));
  const [, scheme] = /^([a-z\d+]{2,}):/i.exec(location) ?? [];
  if (scheme) throw usageError(`${scheme}: is not a known kind of registry: use a folder or git+URL. See --help.`);
  return openFolderStore(location);
}
