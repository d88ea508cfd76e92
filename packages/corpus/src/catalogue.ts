import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { workerData } from 'node:worker_threads';
import { secondsSince, updateCatalogue } from '@lectern/data-files';
import { listTranslations } from './build';
import { answerItems, runInThreads } from './build-indexes';
import { defaultTranslations } from './default-translations';
import { withDataLock } from './fetch/modules';
import { openSource, readRestrictions, unknownRestriction, withRestriction } from './import';
import { type GivenMetadata, stemOf } from './resolve-metadata';
import { importerVersion, textKind, toStoredTranslation, writeTranslationText } from './text-file';
import { describeCounts, importError, isImportError, isSystemError } from './translation';

/** A translation in a catalogue, which is a list or a folder of translations to import. */
interface CatalogueItem {
  /** The place of the translation in the catalogue, for messages: `list.tsv, line 3`. */
  place: string;
  source: string;
  given: GivenMetadata & { identifier: string };
}

/** What happened to an item. In a dry run, what an import would do. */
type ItemResult = { state: 'imported' | 'unchanged'; detail: string } | { state: 'rejected'; reason: string };

export interface CatalogueReport {
  imported: string[];
  unchanged: string[];
  rejected: { place: string; source: string; reason: string }[];
}

interface ThreadData {
  dataDir: string;
  isDryRun: boolean;
  /** The import keys of the translations that are in the data folder and came from a catalogue, by identifier. */
  importKeys: ReadonlyMap<string, string>;
  /** The translations that are imported as restricted ones. `*` stands for all. */
  restricted: ReadonlySet<string>;
}

/** The columns of a list. Apart from `source`, they are the properties of `GivenMetadata`, with hyphens. */
const columns =
  'source identifier name abbrev language note licence licence-holder licence-url licence-max-verses numbering'.split(
    ' ',
  );
const propertyOf = (column: string): string => column.replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase());

/** After how many imported translations the catalogue that services read is updated during an import. */
const itemsPerUpdate = 10;

export const isCatalogueList = (path: string): boolean => path.endsWith('.tsv');

/** Reads the items of a catalogue, which have `defaults` where they say nothing. The path is a list, or a folder in which each file and folder is a translation. */
export function readCatalogue(path: string, defaults: GivenMetadata = {}): CatalogueItem[] {
  if (!existsSync(path)) throw importError(`${path} does not exist`);
  if (!isCatalogueList(path)) {
    if (!statSync(path).isDirectory()) throw importError(`${path} is not a folder`);
    const names = readdirSync(path).filter((name) => !name.startsWith('.'));
    return names.sort().map((name) => {
      const source = join(path, name);
      return { place: source, source, given: { ...defaults, identifier: stemOf(source) } };
    });
  }
  const [head, ...rows] = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ place: `${path}, line ${index + 1}`, line }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'));
  const names = head?.line.split('\t').map((name) => name.trim()) ?? [];
  const unknown = names.find((name) => !columns.includes(name));
  if (!names.includes('source') || unknown !== undefined)
    throw importError(
      `${head?.place ?? path}: the first line names the columns, separated by tabs: source, and any of ${columns.slice(1).join(', ')}${unknown === undefined ? '' : `; '${unknown}' is none`}`,
    );
  return rows.map(({ place, line }) => {
    const values = line.split('\t').map((value) => value.trim());
    const cells = names.flatMap((name, at) => (values[at] ? [[propertyOf(name), values[at]]] : []));
    const { source: written = '', ...given } = Object.fromEntries(cells) as GivenMetadata & { source?: string };
    if (written === '') throw importError(`${place}: the column source is empty`);
    const source = resolve(dirname(path), written);
    return { place, source, given: { ...defaults, ...given, identifier: given.identifier ?? stemOf(source) } };
  });
}

/**
 * Imports translations that are new or have changed, several at a time, and meanwhile updates the catalogue that
 * services read. A rejected translation does not stop the import, and the same call continues a killed one.
 */
export async function importCatalogue(
  items: readonly CatalogueItem[],
  options: {
    dataDir: string;
    jobs: number;
    isDryRun: boolean;
    replace: boolean;
    /** Whether only keys with a grant may read the translations. A restricted one stays so when it is replaced. */
    restricted?: boolean | undefined;
    log: (line: string) => void;
  },
): Promise<CatalogueReport> {
  const { dataDir, jobs, isDryRun, replace, log } = options;
  const report: CatalogueReport = { imported: [], unchanged: [], rejected: [] };
  return withDataLock(dataDir, { log, translations: [] }, async () => {
    const { restricted: present, unknown } = await readRestrictions(dataDir, log);
    const importKeys = new Map(defaultTranslations.map(({ identifier }) => [identifier, '']));
    for (const [identifier, { importKey = '' }] of listTranslations(dataDir, 'sizes'))
      importKeys.set(identifier, importKey);
    let written: string[] = [];
    const update = async () => {
      if (written.length > 0) await updateCatalogue(dataDir, textKind, { log, check: 'sizes', written });
      written = [];
    };
    let done = 0;
    const onResult = async (result: ItemResult, { place, source, given: { identifier } }: CatalogueItem) => {
      done += 1;
      const progress = `[${done}/${items.length}]`;
      if (result.state === 'rejected') {
        report.rejected.push({ place, source, reason: result.reason });
        log(`${progress} rejected: ${place}: ${result.reason}`);
        return;
      }
      report[result.state].push(identifier);
      log(`${progress} ${identifier}: ${result.detail}`);
      if (result.state === 'imported' && !isDryRun) written.push(identifier);
      if (written.length >= itemsPerUpdate) await update();
    };
    const places = new Map<string, string>();
    const accepted: CatalogueItem[] = [];
    for (const item of items) {
      const { identifier } = item.given;
      const other = places.get(identifier);
      let reason: string | null = null;
      if (other !== undefined) reason = `${other} is called ${identifier} too`;
      else if (importKeys.get(identifier) === '' && !replace)
        reason = `the corpus has a translation ${identifier} that no catalogue imported; --replace puts this one in its place`;
      else if (unknown.has(identifier) && !options.restricted) reason = unknownRestriction(identifier);
      if (reason === null) accepted.push(item);
      else await onResult({ state: 'rejected', reason }, item);
      places.set(identifier, other ?? item.place);
    }
    const restricted = options.restricted ? new Set(['*']) : present;
    const threadData: ThreadData = { dataDir, isDryRun, importKeys, restricted };
    const workerFile = join(__dirname, '..', 'dist', 'catalogue-worker.js');
    try {
      await runInThreads({ items: accepted, jobs, workerFile, workerData: threadData, onResult });
    } finally {
      await update();
    }
    return report;
  });
}

/** Runs in each worker thread of `importCatalogue`. Imports the items that the thread receives. */
export function importItems(): void {
  const data = workerData as ThreadData;
  answerItems<CatalogueItem, ItemResult>(async (item) => {
    try {
      return await importItem(item, data);
    } catch (error) {
      if (!isImportError(error) && !isSystemError(error)) throw error;
      return { state: 'rejected', reason: error.message };
    }
  });
}

async function importItem(
  { source, given }: CatalogueItem,
  { dataDir, isDryRun, importKeys, restricted }: ThreadData,
): Promise<ItemResult> {
  const startedAt = performance.now();
  const { digest, read } = await openSource(source);
  const isRestricted = restricted.has('*') || restricted.has(given.identifier);
  const importKey = createHash('sha256')
    .update(JSON.stringify([importerVersion, digest, Object.entries(given).sort(), ...(isRestricted ? [true] : [])]))
    .digest('hex');
  if (importKeys.get(given.identifier) === importKey) return { state: 'unchanged', detail: 'unchanged' };
  const draft = await read(given);
  const stored = withRestriction({ ...toStoredTranslation(draft, 'import'), importKey }, isRestricted);
  if (!isDryRun) await writeTranslationText(dataDir, stored);
  const notes = [
    `${draft.verses.length} verses (${draft.source.format}) in ${secondsSince(startedAt)} s`,
    ...draft.remarks,
  ];
  if (draft.findings.length > 0) notes.push(describeCounts(draft.findings));
  return { state: 'imported', detail: notes.join('; ') };
}
