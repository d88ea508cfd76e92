import { updateCatalogue } from '@lectern/data-files';
import { buildDefaultTranslations, requiredDefaults, staleDefaults } from './build';
import { withDataLock } from './data-lock';
import { fetchSources } from './fetch/sources';
import { importFiles, removeTranslation } from './import';
import type { GivenMetadata } from './metadata';
import { buildOfflinePackages } from './offline/build';
import { exportPackages } from './offline/export';
import { readOfflineTranslations } from './offline/offline-translations-setting';
import { openCorpus } from './open';
import { textKind } from './text-sqlite-tables';
import type { Translation } from './translation';
import { verifyCorpus } from './verify';

/**
 * The context that every action of the `corpus` command receives. An action returns the exit code:
 * 0 for success, 1 for failure.
 */
export interface ActionContext {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** The folders with installed SWORD modules. By default those of the system. */
  swordRoots?: readonly string[] | undefined;
  /** Whether results are printed as JSON. */
  json: boolean;
  /** Writes one line of results to stdout. */
  print: (line: string) => void;
  /** Writes one line of progress or a warning to stderr. */
  log: (line: string) => void;
}

/**
 * Prints where the SWORD modules of the default translations are. Downloads the missing modules.
 */
export async function fetchAction({ json, print, ...context }: ActionContext): Promise<number> {
  const { dataDir } = context;
  const sources = await withDataLock(dataDir, context, () => fetchSources(requiredDefaults(dataDir), context));
  if (json) print(JSON.stringify(Object.fromEntries(sources), null, 2));
  else for (const [module, conf] of sources) print(`${module}  ${conf}`);
  return 0;
}

/** Imports the default translations that are not up to date. With `force`, imports all of them. */
export async function buildAction({ json, print, ...context }: ActionContext, force: boolean): Promise<number> {
  const { dataDir, log } = context;
  return withDataLock(dataDir, context, async () => {
    await updateCatalogue(dataDir, textKind, { log });
    const sources = await fetchSources(requiredDefaults(dataDir), context);
    const stale = force ? requiredDefaults(dataDir) : staleDefaults(sources, dataDir);
    if (stale.length === 0) log(`the default translations in ${dataDir} are up to date`);
    else await buildDefaultTranslations(stale, sources, { dataDir, log });
    if (json) print(JSON.stringify({ dataDir, built: stale.map(({ identifier }) => identifier) }));
    return 0;
  });
}

/** Imports all of the files or, if any file fails, none. */
export async function importAction(
  { dataDir, json, print, log }: ActionContext,
  files: readonly string[],
  { replace, ...given }: GivenMetadata & { replace: boolean },
): Promise<number> {
  const added = await importFiles(files, { dataDir, log, given, replace });
  print(json ? JSON.stringify({ added }) : `added ${added.join(', ')} to ${dataDir}`);
  return 0;
}

/** Prints one line for each translation of the corpus. */
export async function listAction({ dataDir, json, print }: ActionContext): Promise<number> {
  const corpus = openCorpus(dataDir);
  try {
    const translations = corpus.storedTranslations().map(({ origin, details }) => ({ ...details, origin }));
    if (json) print(JSON.stringify({ datasetVersion: corpus.datasetVersion(), translations }, null, 2));
    else for (const translation of translations) print(describe(translation));
    return 0;
  } finally {
    corpus.close();
  }
}

/**
 * Formats a translation as a line of `corpus list`: identifier, number of verses, language, name,
 * and in brackets marks such as `complete` and the source.
 */
function describe(translation: Omit<Translation, 'books'> & { origin: string }): string {
  const marks = [
    translation.complete ? 'complete' : 'partial',
    translation.hasStrongsTagging ? "Strong's" : '',
    translation.origin === 'import' ? 'imported' : '',
  ].filter((mark) => mark !== '');
  const { format, name, version } = translation.source;
  return [
    translation.identifier.padEnd(16),
    String(translation.verseCount).padStart(6),
    translation.language,
    translation.name,
    `(${marks.join(', ')}; ${format} ${name}${version ? ` ${version}` : ''})`,
  ].join('  ');
}

/** Removes an imported translation. */
export async function removeAction({ dataDir, json, print, log }: ActionContext, identifier: string): Promise<number> {
  await removeTranslation(identifier, { dataDir, log });
  print(json ? JSON.stringify({ removed: identifier }) : `removed ${identifier}`);
  return 0;
}

/** Builds the offline packages that are out of date, and copies all packages to a folder. */
export async function exportAction(
  { dataDir, env, json, print, log }: ActionContext,
  { folder, jobs }: { folder: string; jobs: number | undefined },
): Promise<number> {
  const translations = readOfflineTranslations(env);
  await buildOfflinePackages({ dataDir, translations, log, ...(jobs !== undefined && { jobs }) });
  const packages = exportPackages({ dataDir, folder, baseUrl: env['OFFLINE_BASE_URL'] ?? '', log });
  print(json ? JSON.stringify({ folder, packages }) : `${packages} offline packages are in ${folder}`);
  return 0;
}

/** Prints the result of each check of `verifyCorpus`. */
export async function verifyAction({ json, print, ...context }: ActionContext): Promise<number> {
  const checks = verifyCorpus(context);
  if (json) print(JSON.stringify(checks, null, 2));
  else
    for (const { subject, failure, detail } of checks)
      print(`${failure === null ? 'ok  ' : 'FAIL'} ${subject}: ${failure ?? detail}`);
  return checks.every(({ failure }) => failure === null) ? 0 : 1;
}
