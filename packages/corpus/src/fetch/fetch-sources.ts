import { join } from 'node:path';
import type { DefaultTranslation } from '../default-translations';
import { importError } from '../import-error';
import { fetchFromDebian } from './fetch-from-debian';
import { fetchFromEbible } from './fetch-from-ebible';
import { type FetchOptions, findModules, type ModuleSources } from './find-modules';
import { textModule } from './text-module';

/**
 * Sees to it that each of these translations has its module: an installed one as it is, else Debian's package, else the
 * makers' own zip file. The caller holds the folder's lock.
 */
export async function fetchSources(
  translations: readonly DefaultTranslation[],
  options: FetchOptions,
): Promise<ModuleSources> {
  const modules = translations.map(textModule);
  const faults: string[] = [];
  for (const fetchFrom of [fetchFromDebian, fetchFromEbible]) {
    const { found, missing } = findModules(modules, options);
    if (missing.length === 0) return found;
    faults.push(...(await fetchFrom(missing, options)));
  }
  const { found, missing } = findModules(modules, options);
  if (missing.length === 0) return found;
  throw importError(
    [
      `no text for ${missing.map(({ identifier, module }) => `${identifier} (module ${module})`).join(', ')}. Tried:`,
      `  - installed modules in SWORD_PATH (${options.env['SWORD_PATH'] || 'not set'}), /usr/share/sword and ${join(options.dataDir, 'sources')}`,
      ...faults.map((fault) => `  - ${fault}`),
      'Any one of these helps:',
      `  - apt-get install ${missing.map(({ debianPackage }) => debianPackage).join(' ')}`,
      '  - SWORD_PATH=FOLDER, a folder with mods.d and modules that holds these modules',
      '  - LECTERN_TEXT_MIRROR=URL, a web folder with their zip files',
      `  - npm run corpus -- import FILE --identifier ${missing[0]?.identifier ?? 'eng-web'} --replace, for a USFX, OSIS or Zefania file of your own`,
    ].join('\n'),
  );
}
