import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const leastLength = 32;

/**
 * The deployment's secret, without which stored digests and tokens are worthless: the setting where there is one, else a file that is
 * made at the first call and that its owner alone can read. Losing it makes every key issued so far unknown.
 */
export function readPepper({ setting, file }: { setting: string | undefined; file: string }): string {
  if (setting !== undefined && setting !== '') {
    if (setting.length < leastLength) throw new Error(`KEY_PEPPER must have at least ${leastLength} characters. Make one with: openssl rand -base64 48`);
    return setting;
  }
  mkdirSync(dirname(file), { recursive: true });
  try {
    // wx: of two processes that start at once, one writes and the other reads what it wrote.
    writeFileSync(file, `${randomBytes(48).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const pepper = readFileSync(file, 'utf8').trim();
  if (pepper.length < leastLength) throw new Error(`${file} is damaged: it should hold the secret that keys are made with. Restore it from a backup, or remove it and issue new keys.`);
  return pepper;
}
