import { join } from 'node:path';
import type { DefaultTranslation } from '../defaults';
import { importError } from '../import-errors-and-remarks';
import { fetchFromDebian } from './debian';
import { fetchFromEbible } from './ebible';
import { moduleOfTranslation } from './module-of-default-translation';
import { type FetchOptions, findModules, type ModuleSources, systemSwordRoots } from './modules';

/**
 * Finds the modules of these translations among the installed and the downloaded modules. Downloads
 * the others as Debian packages or, if that fails, as zip files from eBible.org. Throws an
 * ImportError with every attempt and the possible remedies if a module cannot be found or
 * downloaded. The caller holds the lock of the data folder.
 */
export async function fetchSources(
  translations: readonly DefaultTranslation[],
  options: FetchOptions,
): Promise<ModuleSources> {
  const modules = translations.map(moduleOfTranslation);
  const errors: string[] = [];
  for (const fetchFrom of [fetchFromDebian, fetchFromEbible]) {
    const { found, missing } = findModules(modules, options);
    if (missing.length === 0) return found;
    errors.push(...(await fetchFrom(missing, options)));
  }
  const { found, missing } = findModules(modules, options);
  if (missing.length === 0) return found;
  throw noSourceError(missing, errors, options);
}

function noSourceError(
  missing: readonly ReturnType<typeof moduleOfTranslation>[],
  errors: readonly string[],
  { dataDir, env, swordRoots = systemSwordRoots(env) }: FetchOptions,
): Error {
  return importError(
    [
      `no text for ${missing.map(({ identifier, module }) => `${identifier} (module ${module})`).join(', ')}. Tried:`,
      `  - installed modules in SWORD_PATH (${env['SWORD_PATH'] || 'not set'}), ${[...swordRoots, join(dataDir, 'sources')].join(', ')}`,
      ...errors.map((error) => `  - ${error}`),
      'Any one of these helps:',
      `  - apt-get install ${missing.map(({ debianPackage }) => debianPackage).join(' ')}`,
      '  - SWORD_PATH=FOLDER, a folder with mods.d and modules that holds these modules',
      '  - LECTERN_TEXT_MIRROR=URL, a web folder with their zip files',
      `  - npm run corpus -- import FILE --identifier ${missing[0]?.identifier ?? 'eng-web'} --replace, for a USFX, OSIS or Zefania file of your own`,
    ].join('\n'),
  );
}
