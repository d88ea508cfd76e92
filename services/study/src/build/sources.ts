import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePlace, verseOrdinal } from '@lectern/canon';
import type { FetchOptions, SourceModule } from '@lectern/corpus';
import {
  checkByReading,
  digestModules,
  findModules,
  openCommentary,
  openModule,
  readDictionary,
} from '@lectern/corpus';
import { commentaryWorks, topicalBible } from '@lectern/reference-works';

/** A published work with topics, cross references or notes, as clients see the work. */
interface StudySource {
  /** The identifier. It must not change, because clients may store it. */
  readonly id: string;
  readonly title: string;
  readonly author: string | null;
  readonly year: number | null;
  readonly licence: string;
}

/** A source that is a SWORD module: a book in the format of the SWORD project. */
interface ModuleSource extends StudySource {
  readonly module: string;
  readonly debianPackage: string;
  /** Changes when the module's files or the rules for reading them change. Throws if the module cannot be opened. */
  readonly digest: (conf: string) => string;
  /** Reads the whole module, to check it. Throws if it is cut off or damaged. */
  readonly readAll: (conf: string) => void;
}

const licence = 'Public domain';
const readEntries = ({ entries }: ReturnType<typeof openModule>): void => {
  for (const entry of entries()) void entry;
};

/** The sources that are SWORD modules: commentaries, the topical Bible, and the printed notes of eng-web. */
export const moduleSources: readonly ModuleSource[] = [
  ...commentaryWorks.map((work) => ({
    ...work,
    licence,
    readAll: (conf: string) => readEntries(openCommentary(conf)),
  })),
  { ...topicalBible, licence, readAll: (conf) => void readDictionary(conf) },
  {
    id: 'web-notes',
    module: 'engWEB2015eb',
    debianPackage: 'sword-text-web',
    title: 'Notes of the World English Bible',
    author: null,
    year: 2015,
    licence,
    digest: (conf) => openModule(conf).digest,
    readAll: (conf) => readEntries(openModule(conf)),
  },
];

/** A module with a digest in `knownDigests` (by source id) was intact at the last build. Others are read completely. */
export const sourceModules = (knownDigests: Readonly<Record<string, unknown>> = {}): SourceModule[] =>
  moduleSources.map(({ id, module, debianPackage, digest, readAll }) => ({
    module,
    debianPackage,
    check: checkByReading((conf) => digest(conf) === knownDigests[id] || readAll(conf)),
  }));

/** Returns the digests of the modules on this machine, by source id. Downloads nothing. */
export const digestInstalledModules = (
  knownDigests: Readonly<Record<string, unknown>>,
  options: Omit<FetchOptions, 'log'>,
): Record<string, string> =>
  digestModules(moduleSources, findModules(sourceModules(knownDigests), { ...options, log: () => undefined }).found);

/** The source of the cross references in computed-references.tsv, which is part of this service. */
export const computedSource: StudySource = {
  id: 'computed',
  title: 'Computed from shared words, near meaning and the other sources',
  author: null,
  year: null,
  licence: 'CC0',
};

const computedFile = join(__dirname, '..', '..', 'computed-references.tsv');

/** Returns the digest of computed-references.tsv, so that a new version of the file is built into the data. */
export const digestComputed = (): string => createHash('sha256').update(readFileSync(computedFile)).digest('hex');

/** Reads computed-references.tsv. Each line has a verse (`GEN 1:1`) and the verses to which it refers, the best first. */
export function readComputedReferences(): { verse: number; targets: readonly number[] }[] {
  const lines = readFileSync(computedFile, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [verse = 0, ...targets] = line.split('\t').map(ordinalOf);
    return { verse, targets };
  });
}

function ordinalOf(text: string): number {
  const place = parsePlace(text);
  if (!place) throw new Error(`computed-references.tsv: '${text}' is no verse`);
  return verseOrdinal(place);
}

/** A source of cross references that the operator of this server has imported from a file. */
export interface OperatorSource extends StudySource {
  /** The minimum number of votes of a reference. References with fewer votes are not used. */
  readonly minVotes: number;
}

/** Returns the folder of the imported sources: for each a .json file (description) and a .tsv file (references). */
export const operatorFolder = (dataDir: string): string => join(dataDir, 'sources', 'cross-references');

export const operatorFile = (dataDir: string, id: string, extension: 'json' | 'tsv'): string =>
  join(operatorFolder(dataDir), `${id}.${extension}`);

/** Reads the descriptions of the imported sources, in the order of their file names. */
export function readOperatorSources(dataDir: string): OperatorSource[] {
  if (!existsSync(operatorFolder(dataDir))) return [];
  return readdirSync(operatorFolder(dataDir))
    .filter((name) => name.endsWith('.json') && existsSync(operatorFile(dataDir, name.slice(0, -5), 'tsv')))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(operatorFolder(dataDir), name), 'utf8')) as OperatorSource);
}

export function digestOperatorSource(dataDir: string, { id }: OperatorSource): string {
  const hash = createHash('sha256');
  for (const extension of ['json', 'tsv'] as const) hash.update(readFileSync(operatorFile(dataDir, id, extension)));
  return hash.digest('hex');
}
