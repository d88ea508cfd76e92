import { ensureCorpus } from '@lectern/corpus';

export interface DataOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Told of what is done, a line at a time. */
  log: (line: string) => void;
}

/** Everything that the service reads: fetched and built where it is not there or out of date; nothing is done where it is. */
export async function buildData({ dataDir, env, log }: DataOptions): Promise<{ corpusFile: string }> {
  return { corpusFile: await ensureCorpus({ dataDir, env, log }) };
}
