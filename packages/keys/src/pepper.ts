import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const minLength = 32;

/** The setting KEY_PEPPER, which may be empty. */
export function validatePepper(setting: string): void {
  if (setting !== '' && setting.length < minLength)
    throw new Error(
      `KEY_PEPPER must have at least ${minLength} characters: make one with \`openssl rand -base64 48\`.`,
    );
}

/**
 * The deployment's secret, without which stored digests and tokens are worthless: the setting where there is one, else a file that is
 * made at the first call and that its owner alone can read. Losing it makes every key issued so far unknown.
 */
export function readPepper({ setting, file }: { setting: string | undefined; file: string }): string {
  if (setting !== undefined && setting !== '') return setting;
  const pepper = kept(file);
  if (pepper.length < minLength)
    throw new Error(
      `${file} is damaged: it should hold the secret that keys are made with. Restore it from a backup: without it every key issued so far is unknown.`,
    );
  return pepper;
}

function kept(file: string): string {
  try {
    if (!existsSync(file)) writeOnce(file, `${randomBytes(48).toString('base64url')}\n`);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(
      `${file} can neither be read nor made (${error instanceof Error ? error.message : String(error)}). It holds the secret that keys are made with: see to the permissions of its folder, or name another folder with LECTERN_DATA.`,
      { cause: error },
    );
  }
}

/** The file appears whole or not at all, and of several processes that start at once the first one's stays. */
function writeOnce(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.part`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
