import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what bench/peers/package-lock.json names, where that is not there already. A reason where it cannot be had, else null. */
export async function installPeers(folder, processes) {
  const stamp = join(folder, 'node_modules', '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return null;
  console.log('Installing the peers into bench/peers/node_modules (once; some minutes, about 700 MB)');
  // Without scripts: nothing is fetched but the packages.
  const status = await processes.run('npm', [
    'ci',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--omit-lockfile-registry-resolved',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (status !== 0) return `its packages could not be installed (npm ended with ${status})`;
  writeFileSync(stamp, wanted);
  return null;
}

/** The version of an installed peer; null when it is not there. */
export function versionOf(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
}
