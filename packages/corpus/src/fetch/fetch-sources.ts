import { join } from 'node:path';
import { type DefaultTranslation, moduleOfTranslation } from '../default-translations';
import { importError } from '../translation';
import { fetchFromDebian } from './debian';
import { fetchFromEbible } from './ebible';
import {
  downloadMissing,
  type FetchOptions,
  findModules,
  inBrackets,
  type ModuleSources,
  type SourceModule,
  systemSwordRoots,
} from './modules';

/** Finds modules here, else at Debian, else at eBible.org. Rejects with an ImportError that says what to do. */
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

const noSourceError = (
  missing: readonly DefaultTranslation[],
  errors: readonly string[],
  { dataDir, env, swordRoots = systemSwordRoots(env) }: FetchOptions,
): Error =>
  importError(
    [
      `no text for ${missing.map(({ identifier, module }) => `${identifier} (module ${module})`).join(', ')}. Tried:`,
      `  - installed modules in SWORD_PATH (${env['SWORD_PATH'] || 'not set'}), ${[...swordRoots, join(dataDir, 'sources')].join(', ')}`,
      ...errors.map((error) => `  - ${error}`),
      'Any one of these helps:',
      `  - apt-get install ${missing.map(({ debianPackage }) => debianPackage).join(' ')}`,
      '  - SWORD_PATH=FOLDER, a folder with mods.d and modules that holds these modules',
      '  - LECTERN_TEXT_MIRROR=URL, a web folder with their zip files',
      `  - npm run corpus -- import FILE --identifier ${missing[0]?.identifier ?? 'eng-web'} --replace, for a Bible of your own`,
    ].join('\n'),
  );

/** Finds optional modules here, or else as Debian packages. Never throws, but logs a warning that names the package. */
export async function fetchOptionalModules(
  modules: readonly SourceModule[],
  options: FetchOptions,
): Promise<ModuleSources> {
  let { found, missing } = findModules(modules, options);
  // Warnings are not logged again, because the first search has logged them.
  const isComplete = () => {
    ({ found, missing } = findModules(modules, { ...options, log: () => undefined }));
    return missing.length === 0;
  };
  if (missing.length === 0) return found;
  const errors = await downloadMissing(options, isComplete, () => fetchFromDebian(missing, options));
  if (isComplete()) return found;
  for (const { module, debianPackage } of missing)
    options.log(
      `warning: no module ${module}: apt-get install ${debianPackage}, or name a folder that has it in SWORD_PATH${inBrackets(errors)}`,
    );
  return found;
}
