import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import type { Execute } from '@lectern/subgraph';
import { executeInProcess } from '@lectern/subgraph';
import { buildConcordanceIndex, createConcordanceSubgraph } from '../src/index';
import { corpusFile, dataDir } from './data-folder';

/** The concordance of the real corpus, which `npm test` builds before the tests run; built here where it is missing or out of date. */
export async function realIndex(): Promise<string> {
  const file = join(dataDir, 'concordance.sqlite');
  await buildConcordanceIndex({ corpusFile, concordanceFile: file, log: (line) => process.stderr.write(`${line}\n`) });
  return file;
}

export const buildingMs = 300_000;

/** The subgraph on the real index, and what it runs. */
export async function openReal(): Promise<{ ask: Execute; statements: string[]; close: () => void }> {
  const statements: string[] = [];
  const subgraph = createConcordanceSubgraph({
    concordanceFile: await realIndex(),
    onStatement: (statement) => statements.push(statement),
  });
  return { ask: executeInProcess(subgraph, silentLogger), statements, close: () => subgraph.close() };
}
