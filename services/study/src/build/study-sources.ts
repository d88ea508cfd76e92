import type { FetchOptions, SourceModule } from '@lectern/corpus';
import {
  digestDictionary,
  digestModules,
  findModules,
  openCommentary,
  openModule,
  readDictionary,
} from '@lectern/corpus';
import { commentaryWorks, topicalBible } from '@lectern/reference-works';

/** A source of topics, cross references or notes, as clients see it. */
export interface StudySource {
  /** The identifier, which clients may store. */
  readonly id: string;
  readonly title: string;
  readonly author: string | null;
  readonly year: number | null;
  readonly licence: string;
}

/** A source that is a SWORD module. */
export interface ModuleSource extends StudySource {
  readonly module: string;
  readonly debianPackage: string;
  /** Returns the digest of the module's data files. Throws if the module cannot be opened. */
  readonly digest: (conf: string) => string;
  /** Reads the whole module. Throws if it is cut off or damaged. */
  readonly readAll: (conf: string) => void;
}

const licence = 'Public domain';
const readEntries = ({ entries }: ReturnType<typeof openModule>): void => {
  for (const entry of entries()) void entry;
};

/** The modules, in the order of their identifiers. */
export const moduleSources: readonly ModuleSource[] = [
  ...commentaryWorks.map(
    ({ id, module, debianPackage, title, author, year }): ModuleSource => ({
      id,
      module,
      debianPackage,
      title,
      author,
      year,
      licence,
      digest: (conf) => openCommentary(conf).digest,
      readAll: (conf) => readEntries(openCommentary(conf)),
    }),
  ),
  {
    ...topicalBible,
    licence,
    digest: digestDictionary,
    readAll: (conf) => void readDictionary(conf),
  },
  {
    // The printed notes in the module of the translation eng-web.
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

/** Returns the sources as modules to find or to fetch. A module with a known digest is intact; any other module is read. */
export const sourceModules = (knownDigests: Readonly<Record<string, unknown>> = {}): SourceModule[] =>
  moduleSources.map(({ id, module, debianPackage, digest, readAll }) => ({
    module,
    debianPackage,
    check(conf) {
      try {
        if (digest(conf) !== knownDigests[id]) readAll(conf);
        return null;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  }));

/** Finds the modules on this machine, without fetching or warning. Returns their digests by source id. */
export const digestInstalledModules = (
  knownDigests: Readonly<Record<string, unknown>>,
  options: Omit<FetchOptions, 'log'>,
): Record<string, string> =>
  digestModules(moduleSources, findModules(sourceModules(knownDigests), { ...options, log: () => undefined }).found);
