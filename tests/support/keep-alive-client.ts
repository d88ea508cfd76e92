import { Agent, request } from 'node:http';
import { graphqlHeaders } from '@lectern/testing';

/** A request that a keep-alive client has sent, with its result. */
export interface SentRequest {
  /** The HTTP status of the response. Null if no complete response arrived. */
  readonly status: number | null;
  /** The response's X-Request-Id header. Empty if no complete response arrived. */
  readonly requestId: string;
  /** The code or message of the connection error. Empty without an error. */
  readonly error: string;
  /** Whether the request went out on a connection that an earlier request had used. */
  readonly reusedConnection: boolean;
  /** Whether the connection ends after this response. True also if no complete response arrived. */
  readonly closesConnection: boolean;
}

export interface KeepAliveClient {
  readonly requests: readonly SentRequest[];
  /** Stops the client. Resolves when the request in flight has ended. */
  stop(): Promise<void>;
}

/** The pause of a client after each request. It leaves processor time to the servers under test. */
export const pauseMs = 20;

/** Sends requests one by one over one connection, and opens a new one if the server closes it. */
export function startKeepAliveClient(
  origin: string,
  token: string,
  query = '{ verse(book: "JHN", chapter: 3, verse: 16) { text } }',
): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const requests: SentRequest[] = [];
  const stopped = new AbortController();
  const body = JSON.stringify({ query });
  const sendOne = () =>
    new Promise<SentRequest>((resolve) => {
      const failed = (error: string) =>
        resolve({
          status: null,
          requestId: '',
          error,
          reusedConnection: outgoing.reusedSocket,
          closesConnection: true,
        });
      const outgoing = request(`${origin}/graphql`, { agent, method: 'POST' }, (incoming) => {
        incoming.resume();
        incoming.once('error', (error) => failed(error.message));
        incoming.once('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            requestId: String(incoming.headers['x-request-id']),
            error: '',
            reusedConnection: outgoing.reusedSocket,
            closesConnection: incoming.headers.connection === 'close',
          }),
        );
      });
      const headers = graphqlHeaders(token);
      for (let index = 0; index < headers.length; index += 2)
        outgoing.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
      outgoing.once('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
      outgoing.end(body);
    });
  const run = async () => {
    while (!stopped.signal.aborted) {
      const sent = await sendOne();
      requests.push(sent);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    agent.destroy();
  };
  const running = run();
  return {
    requests,
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
