import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpResponse, StartedProcess } from '@lectern/testing';
import { graphqlHeaders, linkData, send, startProcess } from '@lectern/testing';
import { pepper } from './embedded-lectern';
import { waitUntil } from './processes';

/** The embedded service with two worker processes, and a function that sends queries to it. */
export interface ServiceWithWorkers {
  service: StartedProcess;
  token: string;
  folder: string;
  /** Sends a query. Returns the response with its X-Request-Id header as `requestId`. */
  client(query?: string): Promise<HttpResponse & { requestId: string }>;
  /** Returns the process ids of the workers. */
  workers(): number[];
  /**
   * Returns the process id of the worker that served a request. Null until the worker has logged
   * the request.
   */
  servedBy(requestId: string): number | null;
  /** Kills the service if it still runs, and removes its data folder. */
  close(): Promise<void>;
}

/** Starts the embedded service with two workers, and without rate limits unless `env` sets them. */
export async function startServiceWithWorkers(env: Record<string, string>): Promise<ServiceWithWorkers> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  linkData(folder);
  const service = await startProcess('packages/standalone/dist/main.js', {
    LECTERN_DATA: folder,
    KEY_PEPPER: pepper,
    WORKERS: '2',
    LOG_LEVEL: 'info',
    SEMANTIC_TRANSLATIONS: '',
    RATE_PER_MINUTE: '0',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    ...env,
  });
  await waitUntil(() => service.output().includes('curl'));
  const token = /svc_test_[\w-]{49}/.exec(service.output())?.[0] ?? '';
  return {
    service,
    token,
    folder,
    async client(query = '{ verse(book: "JHN", chapter: 3, verse: 16) { text } }') {
      const received = await send(`${service.origin}/graphql`, {
        headers: graphqlHeaders(token),
        body: JSON.stringify({ query }),
      });
      return { ...received, requestId: String(received.headers['x-request-id']) };
    },
    workers: () => childrenOf(service),
    servedBy(requestId) {
      const line = service
        .output()
        .split('\n')
        // The last line may not be complete.
        .slice(0, -1)
        .find((each) => each.includes(requestId));
      return line === undefined ? null : (JSON.parse(line) as { pid: number }).pid;
    },
    async close() {
      service.child.kill('SIGKILL');
      await service.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts `work` several times at once. Resolves with all results. */
export const times = <Result>(count: number, work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, work));

export const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** Returns the process ids of the running children of a process, without zombies. */
export const childrenOf = ({ child }: Pick<StartedProcess, 'child'>): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === child.pid && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid));
