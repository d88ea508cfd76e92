import { createLogger } from '@lectern/serving';

/** Creates a logger that appends each line to `lines`, as JSON. */
export function createRecordedLog(level = 'info') {
  const lines: string[] = [];
  return { lines, log: createLogger({ service: 'test', level, destination: { write: (line) => lines.push(line) } }) };
}
