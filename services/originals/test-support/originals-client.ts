import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOriginalSources } from '@lectern/corpus';
import { silentLogger } from '@lectern/serving';
import { createWorkScheduler, executeInProcess } from '@lectern/subgraph';
import { createSubgraphQueries, dataDir } from '@lectern/testing';
import { buildOriginals, createOriginalsSubgraph } from '../src/index';

/** The source files of the texts on this machine. Tests that need them are skipped if they are missing. */
export const sources = findOriginalSources({ dataDir, env: process.env });

if (!sources.has('morphhb') && process.env['CI'] === 'true') throw new Error('data/sources lacks bibledit-data');
if (!sources.has('morphhb')) process.stderr.write('skipped: tests of the original texts (run `npm run data`)\n');
export const describeWithTexts = sources.has('morphhb') ? describe : describe.skip;

/** Whether `npm run data` has imported the original texts as translations (hbo-wlc, grc-sblgnt). */
const hasTranslations = existsSync(join(dataDir, 'translations', 'hbo-wlc', 'text.sqlite'));
export const describeWithTranslations = sources.has('morphhb') && hasTranslations ? describe : describe.skip;

/** Opens the subgraph of a data folder. `statements` records the SQL statements that run. */
export function openOriginalsClient(folder: string, log = silentLogger) {
  const statements: string[] = [];
  const subgraph = createOriginalsSubgraph({
    dataDir: folder,
    log,
    // The clock stands still, so that no request pauses between its reads on a slow machine.
    scheduler: createWorkScheduler({ now: () => 0 }),
    onStatement: (statement) => statements.push(statement),
  });
  const send = executeInProcess(subgraph, silentLogger);
  const execute = (query: string, variables: Record<string, unknown> = {}) => send({ query, variables });
  return {
    subgraph,
    execute,
    statements,
    ...createSubgraphQueries(execute),
    close: () => subgraph.close(),
  };
}

/** Builds originals.sqlite of the data folder if necessary, and opens it. */
export async function openRealOriginalsClient() {
  await buildOriginals({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  return openOriginalsClient(dataDir);
}
