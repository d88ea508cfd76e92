import { withDataLock } from '../data-lock';
import { fetchFromDebian } from './fetch-from-debian';
import { type FetchOptions, findModules, type ModuleSources, type SourceModule } from './find-modules';

/**
 * The modules that this machine has or can get: an installed one as it is, else one that was fetched before, else Debian's package.
 * One that cannot be had is absent, with a line that says what to install: whoever asks can do without it, so this never throws.
 */
export async function ensureModules(modules: readonly SourceModule[], options: FetchOptions): Promise<ModuleSources> {
  const { dataDir, log } = options;
  const before = findModules(modules, options);
  if (before.missing.length === 0) return before.found;
  try {
    return await withDataLock(dataDir, { log }, async () => {
      // Another process may have fetched them while this one waited. What is wrong with those that are here was said already.
      const { found, missing } = findModules(modules, { ...options, log: () => undefined });
      if (missing.length === 0) return found;
      const faults = await fetchFromDebian(missing, options);
      const after = findModules(modules, { ...options, log: () => undefined });
      report(after.missing, faults, options);
      return after.found;
    });
  } catch (error) {
    report(before.missing, [error instanceof Error ? error.message : String(error)], options);
    return before.found;
  }
}

function report(missing: readonly SourceModule[], faults: readonly string[], { log }: FetchOptions): void {
  const reason = faults.length === 0 ? '' : ` (${faults.join('; ')})`;
  for (const { module, debianPackage } of missing) {
    log(
      `warning: no module ${module}: apt-get install ${debianPackage}, or name a folder that has it in SWORD_PATH${reason.replace(/\s+/g, ' ')}`,
    );
  }
}
