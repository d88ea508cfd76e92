import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTranslation, defaultTranslations } from './default-translations';
import type { ModuleSources } from './fetch/find-modules';
import { importError } from './import-error';
import { isCorpusError, openCorpus } from './open-corpus';
import { type StoredTranslation, toStoredTranslation } from './stored-translation';
import { importModule } from './sword/import-module';
import { openModule } from './sword/open-module';
import { type CorpusSummary, writeCorpus } from './write-corpus';

/** Raised when the importers give another text for the same source: default translations are then built anew. */
export const importerVersion = '1';

export const corpusFile = (dataDir: string): string => join(dataDir, 'corpus.sqlite');

export interface BuildOptions {
  dataDir: string;
  log: (line: string) => void;
  now?: () => Date;
}

/** The translations of the corpus that is there, to be written into the next one; none where there is no corpus. Throws for one that cannot be read. */
export function readStoredTranslations(file: string): { translations: StoredTranslation[]; close: () => void } {
  if (!existsSync(file)) return { translations: [], close: () => undefined };
  const corpus = openCorpus(file);
  return { translations: corpus.storedTranslations(), close: corpus.close };
}

/** The default translations that a build makes: all but those that somebody's own import stands in for. */
export function requiredDefaults(file: string): readonly DefaultTranslation[] {
  try {
    const { translations, close } = readStoredTranslations(file);
    close();
    const own = new Set(
      translations.filter(({ origin }) => origin === 'import').map(({ details }) => details.identifier),
    );
    return defaultTranslations.filter(({ identifier }) => !own.has(identifier));
  } catch (error) {
    if (isCorpusError(error)) return defaultTranslations;
    throw error;
  }
}

/** As `readStoredTranslations`, but a corpus that cannot be read is put aside: it may hold imports that somebody wants back. */
function readOrSetAside(file: string, log: (line: string) => void): ReturnType<typeof readStoredTranslations> {
  try {
    return readStoredTranslations(file);
  } catch (error) {
    if (!isCorpusError(error)) throw error;
    const aside = `${file}.unreadable`;
    rmSync(aside, { recursive: true, force: true });
    renameSync(file, aside);
    log(`warning: ${error.message}; put aside as ${aside}`);
    return { translations: [], close: () => undefined };
  }
}

/** Makes the default translations anew and keeps what was imported. The caller holds the folder's lock. */
export async function buildDefaultTranslations(
  sources: ModuleSources,
  { dataDir, log, now = () => new Date() }: BuildOptions,
): Promise<CorpusSummary> {
  const file = corpusFile(dataDir);
  const old = readOrSetAside(file, log);
  try {
    const imported = old.translations.filter(({ origin }) => origin === 'import');
    const taken = new Set(imported.map(({ details }) => details.identifier));
    const fresh = defaultTranslations
      .filter(({ identifier }) => !taken.has(identifier))
      .map((translation) => importDefault(translation, sources, log));
    const summary = await writeCorpus(file, [...imported, ...fresh], { now, importer: importerVersion });
    log(`${file}: ${imported.length + fresh.length} translations, digest ${summary.digest.slice(0, 12)}`);
    return summary;
  } finally {
    old.close();
  }
}

function importDefault(
  translation: DefaultTranslation,
  sources: ModuleSources,
  log: (line: string) => void,
): StoredTranslation {
  const conf = sources.get(translation.module);
  if (!conf) throw importError(`no source of ${translation.identifier} (module ${translation.module})`);
  const { module, debianPackage, version, digest, verseCount, ...labels } = translation;
  const started = performance.now();
  const draft = importModule(conf, labels);
  const stored = toStoredTranslation(draft, 'default');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  log(
    `${translation.identifier}: ${draft.verses.length} verses from ${module} ${draft.source.version ?? ''} in ${seconds} s`,
  );
  for (const remark of draft.remarks) log(`${translation.identifier}: ${remark}`);
  if (draft.source.digest !== digest)
    log(
      `warning: ${module} is version ${draft.source.version ?? 'unknown'} (${debianPackage}), not ${version}: its counts may differ`,
    );
  else if (draft.verses.length !== verseCount)
    throw new Error(`${translation.identifier} came out with ${draft.verses.length} verses, not ${verseCount}`);
  if (!stored.details.complete) throw importError(`${conf}: the module holds ${stored.books.length} of 66 books`);
  return stored;
}

/** True when the default translations in the corpus were made by these importers from these very files. */
export function isUpToDate(sources: ModuleSources, dataDir: string): boolean {
  const file = corpusFile(dataDir);
  if (!existsSync(file)) return false;
  try {
    const corpus = openCorpus(file);
    try {
      if (corpus.importer !== importerVersion) return false;
      return (
        corpus.storedTranslations().every(({ origin, details }) => {
          const conf = sources.get(details.source.name);
          return origin === 'import' || (conf !== undefined && openModule(conf).digest === details.source.digest);
        }) && defaultTranslations.every(({ identifier }) => corpus.translation(identifier))
      );
    } finally {
      corpus.close();
    }
  } catch (error) {
    if (isCorpusError(error)) return false;
    throw error;
  }
}
