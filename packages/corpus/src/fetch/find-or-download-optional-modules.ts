import { withDataLock } from '../data-lock';
import { fetchFromDebian } from './debian';
import { type FetchOptions, findModules, type ModuleSources, type SourceModule } from './modules';

/**
 * Finds optional modules among the installed and the downloaded modules, and downloads the others
 * as Debian packages. Never throws. If a module cannot be found or downloaded, the result lacks the
 * module, and a warning names the package to install.
 */
export async function fetchOptionalModules(
  modules: readonly SourceModule[],
  options: FetchOptions,
): Promise<ModuleSources> {
  const { dataDir, log } = options;
  const before = findModules(modules, options);
  if (before.missing.length === 0) return before.found;
  // The first search has already logged its warnings.
  const quiet = { ...options, log: () => undefined };
  try {
    return await withDataLock(dataDir, { log }, async () => {
      // Another process may have downloaded the modules while this process waited for the lock.
      const { found, missing } = findModules(modules, quiet);
      if (missing.length === 0) return found;
      const errors = await fetchFromDebian(missing, options);
      const after = findModules(modules, quiet);
      warn(after.missing, errors, options);
      return after.found;
    });
  } catch (error) {
    warn(before.missing, [error instanceof Error ? error.message : String(error)], options);
    return before.found;
  }
}

function warn(missing: readonly SourceModule[], errors: readonly string[], { log }: FetchOptions): void {
  const reason = errors.length === 0 ? '' : ` (${errors.join('; ').replace(/\s+/g, ' ')})`;
  for (const { module, debianPackage } of missing)
    log(
      `warning: no module ${module}: apt-get install ${debianPackage}, or name a folder that has it in SWORD_PATH${reason}`,
    );
}
