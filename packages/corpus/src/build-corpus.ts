import { existsSync, renameSync, rmSync } from 'node:fs';
import { corpusFile } from './corpus-schema';
import { type DefaultTranslation, defaultTranslations, metadataOf } from './default-translations';
import type { ModuleSources } from './fetch/find-modules';
import { importError } from './import-messages';
import { isCorpusError, openCorpus } from './open-corpus';
import { type StoredTranslation, toStoredTranslation } from './stored-translation';
import { importModule } from './sword/import-module';
import { openModule } from './sword/open-module';
import { type CorpusSummary, writeCorpus } from './write-corpus';

/**
 * The version of the importers. The version is increased when the importers produce another text
 * from the same source. Default translations are then built again.
 */
export const importerVersion = '1';

export interface BuildOptions {
  dataDir: string;
  log: (line: string) => void;
  now?: () => Date;
}

/** The translations of the existing corpus, to be copied into the next one. `close` must be called after copying. */
export interface ExistingTranslations {
  translations: StoredTranslation[];
  close: () => void;
}

const noTranslations: ExistingTranslations = { translations: [], close: () => undefined };

/** Reads the translations of a corpus. Returns none if there is no file. Throws if the file cannot be read. */
export function readStoredTranslations(file: string): ExistingTranslations {
  if (!existsSync(file)) return noTranslations;
  const corpus = openCorpus(file);
  return { translations: corpus.storedTranslations(), close: corpus.close };
}

/**
 * Returns the default translations that a build makes: those whose identifier no import has taken.
 */
export function requiredDefaults(file: string): readonly DefaultTranslation[] {
  try {
    const { translations, close } = readStoredTranslations(file);
    close();
    const imported = new Set(
      translations.filter(({ origin }) => origin === 'import').map(({ details }) => details.identifier),
    );
    return defaultTranslations.filter(({ identifier }) => !imported.has(identifier));
  } catch (error) {
    if (isCorpusError(error)) return defaultTranslations;
    throw error;
  }
}

/**
 * Like `readStoredTranslations`, but renames an unreadable corpus, which may contain imports that
 * its owner wants back.
 */
function readOrSetAside(file: string, log: (line: string) => void): ExistingTranslations {
  try {
    return readStoredTranslations(file);
  } catch (error) {
    if (!isCorpusError(error)) throw error;
    const aside = `${file}.unreadable`;
    rmSync(aside, { recursive: true, force: true });
    renameSync(file, aside);
    log(`warning: ${error.message}; put aside as ${aside}`);
    return noTranslations;
  }
}

/**
 * Imports the default translations again and copies the imported translations. The caller holds the
 * lock of the data folder.
 */
export async function buildDefaultTranslations(
  sources: ModuleSources,
  { dataDir, log, now = () => new Date() }: BuildOptions,
): Promise<CorpusSummary> {
  const file = corpusFile(dataDir);
  const existing = readOrSetAside(file, log);
  try {
    const imported = existing.translations.filter(({ origin }) => origin === 'import');
    const taken = new Set(imported.map(({ details }) => details.identifier));
    const defaults = defaultTranslations
      .filter(({ identifier }) => !taken.has(identifier))
      .map((translation) => importDefault(translation, sources, log));
    const summary = await writeCorpus(file, [...imported, ...defaults], { now, importer: importerVersion });
    log(`${file}: ${imported.length + defaults.length} translations, digest ${summary.digest.slice(0, 12)}`);
    return summary;
  } finally {
    existing.close();
  }
}

function importDefault(
  translation: DefaultTranslation,
  sources: ModuleSources,
  log: (line: string) => void,
): StoredTranslation {
  const conf = sources.get(translation.module);
  if (!conf) throw importError(`no source of ${translation.identifier} (module ${translation.module})`);
  const { identifier, module, debianPackage, version, digest, verseCount } = translation;
  const startedAt = performance.now();
  const draft = importModule(conf, metadataOf(translation));
  const stored = toStoredTranslation(draft, 'default');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  log(`${identifier}: ${draft.verses.length} verses from ${module} ${draft.source.version ?? ''} in ${seconds} s`);
  for (const remark of draft.remarks) log(`${identifier}: ${remark}`);
  if (draft.source.digest !== digest)
    log(
      `warning: ${module} is version ${draft.source.version ?? 'unknown'} (${debianPackage}), not ${version}: its verse counts may differ`,
    );
  else if (draft.verses.length !== verseCount)
    throw new Error(`the import of ${identifier} has ${draft.verses.length} verses, not ${verseCount}`);
  if (!stored.details.complete) throw importError(`${conf}: the module holds ${stored.books.length} of 66 books`);
  return stored;
}

/**
 * Returns true if these importers made the corpus's default translations from exactly these module
 * files.
 */
export function isUpToDate(sources: ModuleSources, dataDir: string): boolean {
  const file = corpusFile(dataDir);
  if (!existsSync(file)) return false;
  try {
    const corpus = openCorpus(file);
    try {
      if (corpus.importer !== importerVersion) return false;
      const hasSameSource = ({ origin, details }: StoredTranslation): boolean => {
        const conf = sources.get(details.source.name);
        return origin === 'import' || (conf !== undefined && openModule(conf).digest === details.source.digest);
      };
      return (
        corpus.storedTranslations().every(hasSameSource) &&
        defaultTranslations.every(({ identifier }) => corpus.translation(identifier))
      );
    } finally {
      corpus.close();
    }
  } catch (error) {
    if (isCorpusError(error)) return false;
    throw error;
  }
}
