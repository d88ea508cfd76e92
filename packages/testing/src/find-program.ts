import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Returns the path of the first of these programs found on the PATH or in the extra folders. If no
 * program is found, prints one line and returns null. With CI=true, throws instead.
 */
export function findProgram(
  names: readonly string[],
  debianPackage: string,
  folders: readonly string[] = [],
): string | null {
  for (const name of names) {
    for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), ...folders]) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // This folder does not contain the program, so the search continues.
      }
    }
  }
  if (process.env['CI'] === 'true')
    throw new Error(`${names.join(' or ')} is missing: apt-get install ${debianPackage}`);
  process.stderr.write(`skipped: tests with ${names[0] ?? ''} (apt-get install ${debianPackage})\n`);
  return null;
}
