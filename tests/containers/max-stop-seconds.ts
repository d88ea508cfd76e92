import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings as gatewaySettings } from '@lectern/gateway';
import { repositoryRoot } from '@lectern/testing';

/**
 * Returns how many seconds a process takes at most from SIGTERM to its exit. The process accepts
 * requests for the default of DRAIN_MS. Then it has a fixed time to finish requests and close
 * files.
 */
export function maxStopSeconds(): number {
  const source = readFileSync(join(repositoryRoot, 'packages/serving/src/process.ts'), 'utf8');
  const [, text = ''] = /[sS]topWithinMs = ([\d_]+)/.exec(source) ?? [];
  const drainMs = gatewaySettings.DRAIN_MS.default;
  if (text === '' || drainMs === undefined) throw new Error('the time for stopping or DRAIN_MS has no default');
  return (Number(text.replaceAll('_', '')) + drainMs) / 1_000;
}
