import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Email } from 'postal-mime';
import PostalMime from 'postal-mime';

/** Parses the emails in this folder, oldest first. */
export async function readOutbox(folder: string): Promise<Email[]> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .sort();
  return Promise.all(files.map((file) => PostalMime.parse(readFileSync(join(folder, file)))));
}

/** Returns the API keys that the text of an email contains. */
export const keysInEmail = (email: Email | undefined): string[] =>
  email?.text?.match(/svc_(?:live|test)_[A-Za-z0-9_-]{49}/g) ?? [];
