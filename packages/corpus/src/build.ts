import {
  createUsableCheck,
  type FileCheck,
  isFolderChanged,
  readCatalogueIfUsable,
  secondsSince,
  updateCatalogue,
} from '@lectern/data-files';
import { type DefaultTranslation, defaultTranslations } from './default-translations';
import { fetchSources } from './fetch/fetch-sources';
import { type FetchOptions, type ModuleSources, withDataLock } from './fetch/modules';
import { openModule } from './sword/module';
import { importModule } from './sword/translation';
import {
  createEntryParser,
  importerVersion,
  type ListedTranslation,
  textKind,
  toStoredTranslation,
  writeTranslationText,
} from './text-file';
import { type DraftTranslation, importError, isImportError } from './translation';

/** Returns the usable translations by identifier: all, or those in `only`. Empty if the catalogue is unusable. */
export function listTranslations(
  dataDir: string,
  check: FileCheck,
  only?: readonly string[],
): ReadonlyMap<string, ListedTranslation> {
  const parseEntry = createEntryParser();
  const isUsable = createUsableCheck(dataDir, textKind, check);
  const rows = readCatalogueIfUsable(dataDir, textKind) ?? [];
  const listed = only ? rows.filter(({ identifier }) => only.includes(identifier)) : rows;
  return new Map(listed.filter(isUsable).map((row) => [row.identifier, parseEntry(row)]));
}

/** Returns the default translations, except those that a user has replaced by importing another text. */
export function requiredDefaults(dataDir: string): readonly DefaultTranslation[] {
  const listed = listTranslations(dataDir, 'headers');
  return defaultTranslations.filter(({ identifier }) => listed.get(identifier)?.origin !== 'import');
}

/** Returns the default translations that must be imported again, because `sources` or the importers have changed. */
export function staleDefaults(sources: ModuleSources, dataDir: string): DefaultTranslation[] {
  const listed = listTranslations(dataDir, 'contents');
  return requiredDefaults(dataDir).filter(({ identifier, module }) => {
    const { importer, translation } = listed.get(identifier) ?? {};
    const conf = sources.get(module);
    return importer !== importerVersion || !conf || openModule(conf).digest !== translation?.source.digest;
  });
}

/** Imports these default translations. The caller must hold the lock of the data folder. */
export async function buildDefaultTranslations(
  translations: readonly DefaultTranslation[],
  sources: ModuleSources,
  { dataDir, log, now }: Pick<FetchOptions, 'dataDir' | 'log'> & { now?: () => Date },
): Promise<void> {
  for (const translation of translations)
    await writeTranslationText(dataDir, importDefault(translation, sources, log), now);
  await updateCatalogue(dataDir, textKind, { log });
}

function importDefault(translation: DefaultTranslation, sources: ModuleSources, log: FetchOptions['log']) {
  const conf = sources.get(translation.module);
  if (!conf) throw importError(`no source of ${translation.identifier} (module ${translation.module})`);
  const { identifier, module, version, verseCount } = translation;
  const startedAt = performance.now();
  const draft = importModule(conf, translation);
  const { source, verses } = draft;
  const stored = toStoredTranslation(draft, 'default');
  log(`${identifier}: ${verses.length} verses from ${module} ${source.version ?? ''} in ${secondsSince(startedAt)} s`);
  for (const remark of draft.remarks) log(`${identifier}: ${remark}`);
  if (source.digest !== translation.digest)
    log(
      `warning: ${module} is version ${source.version ?? 'unknown'} (${translation.debianPackage}), not ${version}: its verse counts may differ`,
    );
  else if (verses.length !== verseCount)
    throw new Error(`the import of ${identifier} has ${verses.length} verses, not ${verseCount}`);
  if (!stored.details.complete) throw importError(`${conf}: the module holds ${stored.books.length} of 66 books`);
  return stored;
}

export interface EnsureOptions extends FetchOptions {
  /** How existing files are checked: `headers` checks those in the catalogue, `contents` (the default) reads all. */
  check?: Exclude<FileCheck, 'sizes'>;
}

/** Imports each default text that is missing or outdated. Warns if the source of an outdated text is missing. */
export async function ensureCorpus(options: EnsureOptions): Promise<void> {
  const { dataDir, log, check = 'contents' } = options;
  const isFolderKnown = check === 'headers' || !isFolderChanged(dataDir, textKind);
  if (isFolderKnown && missingDefaults(dataDir, check).length === 0) return;
  await withDataLock(dataDir, { log }, async () => {
    await updateCatalogue(dataDir, textKind, { log });
    // Checked again, because another process may have built the texts while this process waited for the lock.
    const missing = missingDefaults(dataDir, check);
    if (missing.length === 0) return;
    const names = missing.map(({ identifier }) => identifier).join(', ');
    log(`making the text of ${names} in ${dataDir}`);
    try {
      const sources = await fetchSources(requiredDefaults(dataDir), options);
      await buildDefaultTranslations(missing, sources, { dataDir, log });
    } catch (error) {
      const listed = listTranslations(dataDir, check);
      if (!isImportError(error) || !missing.every(({ identifier }) => listed.has(identifier))) throw error;
      log(`warning: ${names} were made by an earlier version and stay as they are: ${error.message}`);
    }
  });
}

/** Returns the default translations that have no usable text from the current version of the importers. */
function missingDefaults(dataDir: string, check: FileCheck): DefaultTranslation[] {
  const listed = listTranslations(dataDir, check);
  return defaultTranslations.filter(({ identifier }) => {
    const present = listed.get(identifier);
    return !present || (present.origin === 'default' && present.importer !== importerVersion);
  });
}

export type DerivedDraft = Omit<DraftTranslation, 'findings' | 'positions'>;

/** A translation that Lectern makes from other sources than Bible files. `digest` is the digest of these sources. */
export interface DerivedTranslation {
  readonly identifier: string;
  readonly digest: string;
  /** Reads the translation. The `digest` of its `source` must equal the digest above. */
  readonly read: () => DerivedDraft;
}

/** Returns translations whose text is missing, damaged or of other sources, but not those that a user has replaced. */
export function staleDerivedTranslations(
  translations: readonly DerivedTranslation[],
  dataDir: string,
  check: FileCheck,
): DerivedTranslation[] {
  const identifiers = translations.map(({ identifier }) => identifier);
  const listed = listTranslations(dataDir, check, identifiers);
  return translations.filter(({ identifier, digest }) => {
    const present = listed.get(identifier);
    if (present?.origin === 'import') return false;
    return present?.importer !== importerVersion || present.translation.source.digest !== digest;
  });
}

/** Writes the texts that are missing or outdated. The caller builds their indexes. */
export async function buildDerivedTranslations(
  translations: readonly DerivedTranslation[],
  { dataDir, check, log }: { dataDir: string; check: FileCheck; log: (line: string) => void },
): Promise<void> {
  if (staleDerivedTranslations(translations, dataDir, check).length === 0) return;
  await withDataLock(dataDir, { log }, async () => {
    // Checked again, because another process may have written the texts while this process waited for the lock.
    for (const { identifier, read } of staleDerivedTranslations(translations, dataDir, check)) {
      const startedAt = performance.now();
      const draft = read();
      await writeTranslationText(
        dataDir,
        toStoredTranslation({ ...draft, findings: [], positions: new Map() }, 'default'),
      );
      log(`${identifier}: ${draft.verses.length} verses from ${draft.source.name} in ${secondsSince(startedAt)} s`);
    }
    await updateCatalogue(dataDir, textKind, { log });
  });
}
