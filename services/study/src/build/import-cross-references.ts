import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { withFolderLock } from '@lectern/data-files';
import {
  type OperatorSource,
  operatorFile,
  operatorFolder,
  readOperatorSources,
} from './cross-reference-sources-of-operator';
import { parseCrossReferences } from './parse-cross-references';
import { moduleSources } from './sword-modules-for-study';

const maxFileBytes = 200_000_000;
/** The maximum number of imported sources. */
const maxSources = 20;

export interface ImportOptions {
  /** The path of the file with tab-separated cross references. */
  file: string;
  source: OperatorSource;
  dataDir: string;
  log: (line: string) => void;
}

/**
 * Copies a file of cross references into the data folder, where the next build reads it. Replaces a
 * source with the same identifier. Resolves with null after an import. If the file is invalid, or
 * if there are too many sources, imports nothing and resolves with the lines of the error message.
 */
export async function importCrossReferences({ file, source, dataDir, log }: ImportOptions): Promise<string[] | null> {
  const fileError = checkFile(file);
  if (fileError !== null) return [fileError];
  const others = readOperatorSources(dataDir).filter(({ id }) => id !== source.id);
  if (others.length >= maxSources)
    return [`at most ${maxSources} sources can be imported; remove one with --remove ID`];
  const text = readFileSync(file, 'utf8');
  const parsed = parseCrossReferences(text);
  if (parsed.kind === 'invalid') {
    const more = parsed.count - parsed.messages.length;
    const summary = `${file}: ${parsed.count} bad lines; nothing was imported`;
    return [summary, ...parsed.messages, ...(more > 0 ? [`and ${more} more lines`] : [])];
  }
  await withFolderLock(dataDir, { log }, async () => {
    mkdirSync(operatorFolder(dataDir), { recursive: true });
    // Writes the description last: a build reads references only if their description exists.
    for (const [extension, content] of [
      ['tsv', text],
      ['json', JSON.stringify(source)],
    ] as const) {
      const target = operatorFile(dataDir, source.id, extension);
      writeFileSync(`${target}.part`, content);
      renameSync(`${target}.part`, target);
    }
  });
  log(`${source.title}: ${parsed.references.length} references imported`);
  return null;
}

/** Removes an imported source. Resolves with false if no imported source has this identifier. */
export async function removeCrossReferences(
  id: string,
  { dataDir, log }: Pick<ImportOptions, 'dataDir' | 'log'>,
): Promise<boolean> {
  if (!readOperatorSources(dataDir).some((source) => source.id === id)) return false;
  await withFolderLock(dataDir, { log }, async () => {
    for (const extension of ['json', 'tsv'] as const) rmSync(operatorFile(dataDir, id, extension), { force: true });
  });
  return true;
}

/** Returns the reason why a new source must not have an identifier, or null if the source may. */
export function checkSourceId(id: string): string | null {
  if (!/^[a-z0-9-]{1,40}$/.test(id)) return '--id must have 1 to 40 lower-case letters, digits and hyphens';
  return moduleSources.some((source) => source.id === id) ? `--id ${id} is the identifier of a built-in source` : null;
}

function checkFile(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return `${file} is not a file`;
  return stats.size > maxFileBytes ? `${file} has more than ${maxFileBytes} bytes` : null;
}
