import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const minLength = 32;

/** Throws if the setting KEY_PEPPER is too short. Accepts an empty setting. */
export function validatePepper(setting: string): void {
  if (setting !== '' && setting.length < minLength)
    throw new Error(
      `KEY_PEPPER must have at least ${minLength} characters: make one with \`openssl rand -base64 48\`.`,
    );
}

/**
 * Returns the deployment's secret: the setting if it is set, else the content of the file. The
 * first call creates the file, readable by its owner alone. If the secret is lost, every issued key
 * is unknown.
 */
export function readPepper({ setting, file }: { setting: string | undefined; file: string }): string {
  if (setting !== undefined && setting !== '') return setting;
  const pepper = readOrCreate(file);
  if (pepper.length < minLength)
    throw new Error(
      `${file} is damaged: it should hold the secret that keys are made with. Restore it from a backup: without it every key issued so far is unknown.`,
    );
  return pepper;
}

function readOrCreate(file: string): string {
  try {
    if (!existsSync(file)) createOnce(file, `${randomBytes(48).toString('base64url')}\n`);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(
      `${file} can neither be read nor made (${error instanceof Error ? error.message : String(error)}). It holds the secret that keys are made with: check the permissions of its folder, or name another folder with LECTERN_DATA.`,
      { cause: error },
    );
  }
}

/**
 * Creates the file atomically, by a hard link to a complete draft. If several processes start at
 * once, the first process creates the file, and the other processes leave it as it is.
 */
function createOnce(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  // The name is random, because processes in containers that share the folder may have the same id.
  const draft = `${file}.${randomUUID()}.part`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
