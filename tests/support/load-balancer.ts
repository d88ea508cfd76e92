import { Agent, request } from 'node:http';
import { graphqlHeaders, send } from '@lectern/testing';

/** The response of a gateway, or why there is no response. */
export interface BalancedResponse {
  /** The HTTP status. 0 after a connection error, and 503 if no gateway was ready. */
  readonly status: number;
  readonly text: string;
  /** The gateway's origin and the error code, or `no gateway is ready`. Null after a response. */
  readonly error: string | null;
}

const probeIntervalMs = 300;

/**
 * A minimal load balancer in front of several gateways: round robin over keep-alive connections.
 * It sends no requests to a gateway whose /ready did not respond 200 to the last probe.
 * It never retries, so its caller sees every error.
 */
export function createLoadBalancer(origins: readonly string[], token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const headers = ['Connection', 'keep-alive', ...graphqlHeaders(token)];
  const ready = new Map(origins.map((origin) => [origin, true]));
  let turn = 0;
  const state = { isOpen: true };

  const probe = async (origin: string): Promise<void> => {
    while (state.isOpen) {
      ready.set(
        origin,
        await send(`${origin}/ready`, { method: 'GET' }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, probeIntervalMs));
    }
  };
  const probing = Promise.all(origins.map(probe));

  return {
    isReady: (origin: string): boolean => ready.get(origin) === true,
    send(body: string): Promise<BalancedResponse> {
      const candidates = origins.filter((origin) => ready.get(origin));
      turn += 1;
      const origin = candidates[turn % candidates.length];
      if (origin === undefined) return Promise.resolve({ status: 503, text: '', error: 'no gateway is ready' });
      return new Promise((resolve) => {
        const failed = (error: NodeJS.ErrnoException) =>
          resolve({ status: 0, text: '', error: `${origin}: ${error.code ?? error.message}` });
        const outgoing = request(
          `${origin}/graphql`,
          {
            method: 'POST',
            agent,
            headers: ['Host', new URL(origin).host, ...headers, 'Content-Length', String(Buffer.byteLength(body))],
          },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', failed);
            incoming.on('end', () =>
              resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), error: null }),
            );
          },
        );
        outgoing.on('error', failed).end(body);
      });
    },
    async close(): Promise<void> {
      state.isOpen = false;
      await probing;
      agent.destroy();
    },
  };
}

export type LoadBalancer = ReturnType<typeof createLoadBalancer>;
