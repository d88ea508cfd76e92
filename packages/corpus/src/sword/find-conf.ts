import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readConf } from './module-conf';

/** The .conf of the module in a folder laid out as SWORD's is (mods.d, modules); null where it has none. */
export function findConf(root: string, module: string): string | null {
  const folder = join(root, 'mods.d');
  if (!existsSync(folder)) return null;
  const usual = join(folder, `${module}.conf`);
  const files = [
    usual,
    ...readdirSync(folder)
      .filter((name) => name.endsWith('.conf'))
      .map((name) => join(folder, name)),
  ];
  return files.find((file) => existsSync(file) && readConf(file)?.module === module) ?? null;
}
