import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';

/** Runs `npm run compose:rover` with these arguments. */
export function composeRover(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repositoryRoot, 'scripts/compose-with-rover.mjs'), ...args],
    {
      cwd: repositoryRoot,
      encoding: 'utf8',
    },
  );
  return { status, output: stdout + stderr };
}

/**
 * Returns the path of Rover, Apollo's command line for graphs. The first call installs Rover. If
 * Rover cannot be installed, prints one line and returns null, or throws if CI=true. On Windows,
 * returns null.
 */
export function findRover(): string | null {
  if (process.platform === 'win32') return null;
  const { status, output } = composeRover('--install');
  if (status === 0) return output.trim().replace('Rover is installed: ', '');
  if (status !== 3 || process.env['CI'] === 'true') throw new Error(output);
  process.stderr.write(`skipped: tests with rover (${output.trim().replaceAll(/\s+/g, ' ')})\n`);
  return null;
}
