import { Agent, request } from 'node:http';
import { graphqlHeaders } from '@lectern/testing';

/** One request of a caller that keeps its connection, as it went. */
export interface Call {
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly requestId: string;
  /** The fault of the connection; empty for none. */
  readonly fault: string;
  /** Whether the request went out on a connection that had been used before. */
  readonly onKept: boolean;
  /** The server asked to close the connection. */
  readonly isLast: boolean;
}

export interface Caller {
  readonly calls: readonly Call[];
  /** After the request under way. */
  stop(): Promise<void>;
}

/** Asks again and again over one kept connection; a new one is made where the server closed it. */
export function startCaller(
  origin: string,
  token: string,
  query = '{ verse(book: "JHN", chapter: 3, verse: 16) { text } }',
): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const calls: Call[] = [];
  const stopped = new AbortController();
  const body = JSON.stringify({ query });
  const call = () =>
    new Promise<Call>((resolve) => {
      const outgoing = request(`${origin}/graphql`, { agent, method: 'POST' }, (incoming) => {
        incoming.resume();
        incoming.once('error', (error) =>
          resolve({ status: null, requestId: '', fault: error.message, onKept: outgoing.reusedSocket, isLast: true }),
        );
        incoming.once('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            requestId: String(incoming.headers['x-request-id']),
            fault: '',
            onKept: outgoing.reusedSocket,
            isLast: incoming.headers.connection === 'close',
          }),
        );
      });
      const headers = graphqlHeaders(token);
      for (let at = 0; at < headers.length; at += 2) outgoing.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
      outgoing.once('error', (error: NodeJS.ErrnoException) =>
        resolve({
          status: null,
          requestId: '',
          fault: error.code ?? error.message,
          onKept: outgoing.reusedSocket,
          isLast: true,
        }),
      );
      outgoing.end(body);
    });
  const run = async () => {
    while (!stopped.signal.aborted) {
      const made = await call();
      calls.push(made);
      // Nobody is there to answer: not so fast again.
      if (made.status === null) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    agent.destroy();
  };
  const running = run();
  return {
    calls,
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
