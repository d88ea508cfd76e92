import type { ServerResponse } from 'node:http';
import { sendJson } from './response';

interface HealthOptions {
  /** The members of the bodies of /health and /ready that identify the process. */
  identity?: object;
  /** Returns further members of the body of /ready, or null if the process is not ready. */
  readiness?: () => object | null | Promise<object | null>;
}

/** Responds to GET /health (the process runs) and GET /ready (the process accepts requests). */
export function createHealth({ identity = {}, readiness = () => ({}) }: HealthOptions = {}) {
  let isStopping = false;
  const sendReady = async (response: ServerResponse): Promise<void> => {
    const state = await readiness();
    const status = isStopping ? 'draining' : state ? 'ready' : 'not ready';
    sendJson(response, status === 'ready' ? 200 : 503, { status, ...identity, ...state });
  };
  return {
    /** Responds if `path` is /health or /ready. Returns false for any other path. `readiness` must not reject. */
    respond(path: string, response: ServerResponse): boolean {
      if (path === '/health') sendJson(response, 200, { status: 'ok', ...identity });
      else if (path === '/ready') void sendReady(response);
      return path === '/health' || path === '/ready';
    },
    /** From now on, /ready responds with 503. */
    stop(): void {
      isStopping = true;
    },
  };
}

export type Health = ReturnType<typeof createHealth>;
