import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Lists tracked files and new files that git does not ignore. Without git or a checkout there is nothing to check, and
 * a line says so.
 *
 * @param {string} what what is not checked then, such as `the words are`
 */
export function listFiles(what) {
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n');
  } catch {
    console.error(`Not a git checkout: ${what} not checked.`);
    return [];
  }
}
