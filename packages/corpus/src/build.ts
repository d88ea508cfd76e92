import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultEdition, defaultEditions } from './default-editions';
import type { ModuleSources } from './fetch/module-source';
import { importError } from './import-error';
import { isCorpusError, openCorpus } from './reader';
import { type StoredEdition, storeDraft } from './stored-edition';
import { importModule } from './sword/import-module';
import { openModule } from './sword/module';
import { type CorpusSummary, writeCorpus } from './write-corpus';

/** Raised when the importers give another text for the same source: default editions are then built anew. */
export const importerVersion = '1';

export const corpusFile = (dataDir: string): string => join(dataDir, 'corpus.sqlite');

export interface BuildOptions {
  dataDir: string;
  log: (line: string) => void;
  now?: () => Date;
}

/** The editions of the corpus that is there, to be written into the next one; none where there is no corpus. Throws for one that cannot be read. */
export function keptEditions(file: string): { editions: StoredEdition[]; close: () => void } {
  if (!existsSync(file)) return { editions: [], close: () => undefined };
  const corpus = openCorpus(file);
  return { editions: corpus.stored(), close: corpus.close };
}

/** The default editions that a build makes: all but those that somebody's own import stands in for. */
export function neededDefaults(file: string): readonly DefaultEdition[] {
  try {
    const { editions, close } = keptEditions(file);
    close();
    const own = new Set(editions.filter(({ origin }) => origin === 'import').map(({ details }) => details.identifier));
    return defaultEditions.filter(({ identifier }) => !own.has(identifier));
  } catch (error) {
    if (isCorpusError(error)) return defaultEditions;
    throw error;
  }
}

/** As `keptEditions`, but a corpus that cannot be read is put aside: it may hold imports that somebody wants back. */
function keptOrPutAside(file: string, log: (line: string) => void): ReturnType<typeof keptEditions> {
  try {
    return keptEditions(file);
  } catch (error) {
    if (!isCorpusError(error)) throw error;
    const aside = `${file}.unreadable`;
    rmSync(aside, { recursive: true, force: true });
    renameSync(file, aside);
    log(`warning: ${error.message}; put aside as ${aside}`);
    return { editions: [], close: () => undefined };
  }
}

/** Makes the default editions anew and keeps what was imported. The caller holds the folder's lock. */
export async function buildDefaults(
  sources: ModuleSources,
  { dataDir, log, now = () => new Date() }: BuildOptions,
): Promise<CorpusSummary> {
  const file = corpusFile(dataDir);
  const old = keptOrPutAside(file, log);
  try {
    const imported = old.editions.filter(({ origin }) => origin === 'import');
    const taken = new Set(imported.map(({ details }) => details.identifier));
    const fresh = defaultEditions
      .filter(({ identifier }) => !taken.has(identifier))
      .map((edition) => importDefault(edition, sources, log));
    const summary = await writeCorpus(file, [...imported, ...fresh], { now, importer: importerVersion });
    log(`${file}: ${imported.length + fresh.length} editions, digest ${summary.digest.slice(0, 12)}`);
    return summary;
  } finally {
    old.close();
  }
}

function importDefault(edition: DefaultEdition, sources: ModuleSources, log: (line: string) => void): StoredEdition {
  const conf = sources.get(edition.module);
  if (!conf) throw importError(`no source of ${edition.identifier} (module ${edition.module})`);
  const { module, debianPackage, version, digest, verseCount, ...labels } = edition;
  const started = performance.now();
  const draft = importModule(conf, labels);
  const stored = storeDraft(draft, 'default');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  log(
    `${edition.identifier}: ${draft.verses.length} verses from ${module} ${draft.source.version ?? ''} in ${seconds} s`,
  );
  for (const remark of draft.remarks) log(`${edition.identifier}: ${remark}`);
  if (draft.source.digest !== digest)
    log(
      `warning: ${module} is version ${draft.source.version ?? 'unknown'} (${debianPackage}), not ${version}: its counts may differ`,
    );
  else if (draft.verses.length !== verseCount)
    throw new Error(`${edition.identifier} came out with ${draft.verses.length} verses, not ${verseCount}`);
  if (!stored.details.complete) throw importError(`${conf}: the module holds ${stored.books.length} of 66 books`);
  return stored;
}

/** True when the default editions in the corpus were made by these importers from these very files. */
export function isUpToDate(sources: ModuleSources, dataDir: string): boolean {
  const file = corpusFile(dataDir);
  if (!existsSync(file)) return false;
  try {
    const corpus = openCorpus(file);
    try {
      if (corpus.importer !== importerVersion) return false;
      return (
        corpus.stored().every(({ origin, details }) => {
          const conf = sources.get(details.source.name);
          return origin === 'import' || (conf !== undefined && openModule(conf).digest === details.source.digest);
        }) && defaultEditions.every(({ identifier }) => corpus.edition(identifier))
      );
    } finally {
      corpus.close();
    }
  } catch (error) {
    if (isCorpusError(error)) return false;
    throw error;
  }
}
