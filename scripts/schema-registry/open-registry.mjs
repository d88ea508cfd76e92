import { usageError } from '../command-line.mjs';
import { openFolderStore } from './folder-store.mjs';
import { openGitStore } from './git-store.mjs';
import { openHttpStore } from './http-store.mjs';

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
  git+URL#BRANCH:FOLDER         a folder in a git repository, such as git+ssh://git@example.org/schemas.git#main:lectern
  https://HOST/PATH             any server that honours PUT with If-Match; SCHEMA_REGISTRY_HEADERS are its headers
  s3+https://HOST/BUCKET/PATH   a bucket of S3 or a compatible service; AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
                                AWS_SESSION_TOKEN and AWS_REGION sign the requests`;

/**
 * Opens the registry at this location.
 *
 * @param {string | undefined} location
 * @param {NodeJS.ProcessEnv} env
 * @returns {FileStore}
 */
export function openRegistry(location, env) {
  if (!location) throw usageError('No registry: set SCHEMA_REGISTRY, or use --registry. See --help.');
  const [, scheme = ''] = /^(git)\+|^(?:([a-z\d]+))(?::|\+[a-z]+:)/i.exec(location)?.filter(Boolean) ?? [];
  switch (scheme) {
    case 'http':
    case 'https':
    case 's3':
      return openHttpStore(location, env);
    case 'git':
      return openGitStore(location.slice('git+'.length));
    default:
      if (/^[a-z\d]{2,}:/i.test(location)) throw usageError(`${scheme}: is not a known kind of registry. See --help.`);
      return openFolderStore(location);
  }
}
