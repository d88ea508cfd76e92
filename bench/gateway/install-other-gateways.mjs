import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs bench/other-gateways/package-lock.json if it has changed, or with `onlyJsonRoute` the packages that the JSON
 * route needs. Returns null, or the reason if npm fails.
 */
export async function installOtherGateways(folder, processes, { onlyJsonRoute = false } = {}) {
  const stamp = join(folder, 'node_modules', '.installed');
  const fingerprint = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
  const wanted = onlyJsonRoute ? `${fingerprint} JSON route` : fingerprint;
  if (installed === fingerprint || installed === wanted) return null;
  console.log(
    onlyJsonRoute
      ? 'Installing Fastify into bench/other-gateways/node_modules (once)'
      : 'Installing the other gateways into bench/other-gateways/node_modules (once; some minutes, about 700 MB)',
  );
  // Install scripts are off, because they could download or run other programs.
  const status = await processes.run('npm', [
    'ci',
    '--prefix',
    folder,
    '--ignore-scripts',
    // package.json lists all but the packages of the JSON route as development dependencies.
    onlyJsonRoute ? '--omit=dev' : '--include=dev',
    '--omit-lockfile-registry-resolved',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (status !== 0) return `its packages could not be installed (npm exited with ${status})`;
  writeFileSync(stamp, wanted);
  return null;
}

/** Returns the version of an installed package, or null if the package is not installed. */
export function versionOf(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
}
