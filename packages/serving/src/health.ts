import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from '@lectern/errors';
import { sendError, sendJson } from './response';

/** The maximum length of the path and the query of a request for /health or /ready, in bytes. */
const maxTargetBytes = 2_000;

/** How long one report is sent to all probes, in milliseconds, so that many probes cost no more than one. */
const reportMs = 250;

/** Members of the body of /ready. `status` is `ready` if absent. Any other status means 503. */
type ReadinessReport = object & { readonly status?: string };

interface HealthOptions {
  /** The members of the bodies of /health and /ready that identify the process. */
  identity?: object;
  /** Returns the report of /ready. Must not reject. `isVerbose` is whether the query has `verbose`. */
  readiness?: (isVerbose: boolean) => ReadinessReport | Promise<ReadinessReport>;
  /** Returns milliseconds that never decrease. */
  now?: () => number;
}

/** For GET /health and GET /ready, without key or limit: a supervisor restarts a process that rejects its probes. */
export function createHealth({
  identity = {},
  readiness = () => ({}),
  now = () => performance.now(),
}: HealthOptions = {}) {
  let isStopping = false;
  const reports = {
    brief: shareReports(() => readiness(false), now),
    verbose: shareReports(() => readiness(true), now),
  };

  const sendReady = async (response: ServerResponse, isVerbose: boolean): Promise<void> => {
    const report = await reports[isVerbose ? 'verbose' : 'brief']();
    const body = { status: 'ready', ...identity, ...report, ...(isStopping && { status: 'draining' }) };
    sendJson(response, body.status === 'ready' ? 200 : 503, body);
  };

  return {
    /** Responds if the path is /health or /ready. Returns false for any other path. */
    respond(request: IncomingMessage, response: ServerResponse): boolean {
      const { url = '' } = request;
      const path = pathOf(url);
      if (path !== '/health' && path !== '/ready') return false;
      if (url.length > maxTargetBytes) sendError(response, errors.targetTooLong(maxTargetBytes));
      else if (path === '/health') sendJson(response, 200, { status: 'ok', ...identity });
      else void sendReady(response, queryOf(url).has('verbose'));
      return true;
    },
    /** From now on, /ready responds with 503. */
    stop(): void {
      isStopping = true;
    },
  };
}

export type Health = ReturnType<typeof createHealth>;

/** Creates the function that makes a report at most every `reportMs`, and returns the last one in between. */
function shareReports<Report>(make: () => Report, now: () => number): () => Report {
  let last: { readonly report: Report; readonly madeAt: number } | null = null;
  return () => {
    const time = now();
    if (last === null || time - last.madeAt >= reportMs) last = { report: make(), madeAt: time };
    return last.report;
  };
}

/** Returns the path of a request target, which may also be a complete URL. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '');
}

export function queryOf(target: string): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start));
}
