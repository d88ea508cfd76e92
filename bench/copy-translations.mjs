import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Copies the texts of all translations, without their indexes, from one data folder to another.
 * @param {string} from
 * @param {string} to
 */
export function copyTextDatabases(from, to) {
  const files = readdirSync(join(from, 'translations')).map((id) => `translations/${id}/text.sqlite`);
  for (const file of ['text-catalogue.sqlite', ...files]) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(from, file), join(to, file));
  }
}
