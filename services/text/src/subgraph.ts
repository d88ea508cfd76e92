import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import { openCorpus, openOfflinePackages, packageFile } from '@lectern/corpus';
import type { TranslationFileCache } from '@lectern/data-files';
import type { Logger, OpenedPackage } from '@lectern/serving';
import { createSendOfflinePackage, parseOfflinePackagePath, silentLogger } from '@lectern/serving';
import { createSubgraph, type FileRoute, type Subgraph, type WorkScheduler } from '@lectern/subgraph';
import { defaultOfflineBaseUrl } from './config';
import { createRequestContext, type RequestContext } from './context';
import { createDailyPassages } from './daily';
import { createPassageReader } from './passages';
import { createResolvers } from './resolvers';
import { createTextStore } from './store';

export interface TextOptions {
  dataDir: string;
  now?: () => Date;
  /** Returns a random integer from 0 to `below` - 1. Each integer must be equally probable. */
  random?: (below: number) => number;
  /** Loads the reference parser at the start, which takes half a second, not at its first use. Default: true. */
  preloadParser?: boolean;
  offlineBaseUrl?: string;
  scheduler?: WorkScheduler;
  /** The cache of this process's open translation files. By default a new cache. */
  memory?: TranslationFileCache;
  log?: Logger;
  /** Receives the text of each SQL statement that runs, so that tests can count them. */
  onStatement?: (statement: string) => void;
}

export function createTextSubgraph({
  dataDir,
  now,
  random,
  preloadParser = true,
  offlineBaseUrl = defaultOfflineBaseUrl,
  scheduler,
  memory,
  log = silentLogger,
  onStatement,
}: TextOptions): Subgraph<RequestContext> {
  if (preloadParser) warmReferenceParser();
  const report = (line: string) => log.error(line);
  const corpus = openCorpus(dataDir, { memory, report, onStatement });
  const offlinePackages = openOfflinePackages(dataDir, { report });
  const store = createTextStore(corpus, random);
  const packageFolder = join(__dirname, '..');
  return createSubgraph({
    name: 'text',
    schemaFile: join(packageFolder, 'schema.graphql'),
    dataset: corpus,
    resolvers: createResolvers({
      store,
      offlinePackages,
      offlineBaseUrl: offlineBaseUrl.replace(/(?<!\/)\/+$/, ''),
      passages: createPassageReader(store),
      dailyPassages: createDailyPassages(join(packageFolder, 'verse-of-the-day.tsv'), now),
    }),
    createContext: (work, operation) => createRequestContext(store, work, operation),
    files: createOfflinePackageRoute(dataDir),
    scheduler,
    close: () => {
      offlinePackages.close();
      store.close();
    },
  });
}

/** Serves gzipped SQLite files: `/offline/<identifier>/v<schema version>/<sha256>.sqlite.gz`. */
function createOfflinePackageRoute(dataDir: string): FileRoute {
  const send = createSendOfflinePackage();
  return {
    path: '/offline/',
    handle: (request, response, path) => send(request, response, () => openPackage(dataDir, path)),
  };
}

async function openPackage(dataDir: string, path: string): Promise<OpenedPackage> {
  const parsed = parseOfflinePackagePath(path);
  if (!parsed) return 'not-found';
  try {
    return { file: await open(packageFile(dataDir, parsed.identifier, parsed)), sha256: parsed.sha256 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'not-found';
    throw error;
  }
}
