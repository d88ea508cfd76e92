import { Agent, request } from 'node:http';
import { graphqlHeaders, send } from '@lectern/testing';

/** What came back, or the code of the connection's fault where nothing did. */
export interface Balanced {
  readonly status: number;
  readonly text: string;
  readonly fault: string | null;
}

const looksEveryMs = 300;

/**
 * What stands before several gateways, as plain as such things come: asks them in turn on kept connections, and leaves out those whose /ready was not 200
 * when it looked last. It repeats nothing: whatever goes wrong with a request is its client's to see.
 */
export function createBalancer(origins: readonly string[], token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const [name = '', bearer = '', ...more] = graphqlHeaders(token);
  const headers = ['Connection', 'keep-alive', name, bearer, ...more];
  const ready = new Map(origins.map((origin) => [origin, true]));
  let turn = 0;
  const state = { isOpen: true };

  const look = async (origin: string): Promise<void> => {
    while (state.isOpen) {
      ready.set(
        origin,
        await send(`${origin}/ready`, { method: 'GET' }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, looksEveryMs));
    }
  };
  const looking = Promise.all(origins.map(look));

  return {
    isReady: (origin: string): boolean => ready.get(origin) === true,
    ask(body: string): Promise<Balanced> {
      const standing = origins.filter((origin) => ready.get(origin));
      turn += 1;
      const origin = standing[turn % standing.length];
      if (origin === undefined) return Promise.resolve({ status: 503, text: '', fault: 'no gateway is ready' });
      return new Promise((resolve) => {
        const lost = (error: NodeJS.ErrnoException) =>
          resolve({ status: 0, text: '', fault: `${origin}: ${error.code ?? error.message}` });
        const outgoing = request(
          `${origin}/graphql`,
          {
            method: 'POST',
            agent,
            headers: ['Host', new URL(origin).host, ...headers, 'Content-Length', String(Buffer.byteLength(body))],
          },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', lost);
            incoming.on('end', () =>
              resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), fault: null }),
            );
          },
        );
        outgoing.on('error', lost).end(body);
      });
    },
    async close(): Promise<void> {
      state.isOpen = false;
      await looking;
      agent.destroy();
    },
  };
}

export type Balancer = ReturnType<typeof createBalancer>;
