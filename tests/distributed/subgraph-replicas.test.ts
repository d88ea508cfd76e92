import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlClient, GraphqlResponse, StartedProcess } from '@lectern/testing';
import { dataDir, freePort, metricValue, send, useStarted } from '@lectern/testing';
import { startFakeSubgraph } from '../support/fake-subgraph';
import { openProcesses, waitUntil } from '../support/processes';
import { repeatRequests } from '../support/repeat-requests';

const processes = useStarted(openProcesses);

const startText = (env: Record<string, string> = {}) =>
  processes.start('services/text/dist/main.js', { LECTERN_DATA: dataDir, LOG_LEVEL: 'warn', ...env });
const startGateway = (text: readonly string[], env: Record<string, string>) => processes.startGateway({ text }, env);

const query = '{ languages { code } }';
const languages: unknown = expect.arrayContaining([{ code: 'eng' }, { code: 'spa' }]);
const whole = { data: { languages } };
const unavailable = {
  message: 'This part of the graph is temporarily unavailable. Please try again later.',
  path: ['languages'],
  extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
};
const partial = { data: { languages: null }, errors: [unavailable] };

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const json = { 'content-type': 'application/json' };
const respond =
  (status: number, body: string): Respond =>
  (response) =>
    void response.writeHead(status, json).end(body);
const good = '{"data":{"languages":[{"code":"eng"},{"code":"spa"}]}}';

const minResponses = 100;

describe('two replicas of a subgraph', () => {
  const text: StartedProcess[] = [];
  let gateway: StartedProcess;
  let client: GraphqlClient;
  let metricsPort: number;

  beforeAll(async () => {
    text.push(await startText(), await startText());
    metricsPort = await freePort();
    ({ gateway, client } = await startGateway(
      text.map(({ origin }) => origin),
      { METRICS_PORT: String(metricsPort), SUBGRAPH_HEDGE_MS: '300' },
    ));
  });
  afterAll(async () => {
    for (const started of [gateway, ...text]) await processes.stop(started);
  });

  const replica = (index: number): StartedProcess => {
    const started = text[index];
    if (!started) throw new Error(`there is no replica ${index}`);
    return started;
  };
  const restart = async (index: number) => {
    text[index] = await startText({ PORT: String(replica(index).port) });
  };

  const openCircuits = async () =>
    metricValue(
      (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text,
      'lectern_replica_breaker_open',
      'subgraph="text"',
    );

  test('if one of two replicas hangs, the other replica serves every request, and the circuit breaker of the hanging replica stays open until this replica responds again', async () => {
    replica(0).child.kill('SIGSTOP');
    const responses: GraphqlResponse[] = [];
    const stopRequests = repeatRequests(
      Array.from({ length: 6 }, () => async () => responses.push(await client(query))),
      40,
    );
    await waitUntil(async () => (await openCircuits()) === 1 && responses.length > minResponses);
    await stopRequests();
    expect(responses.filter(({ errors }) => errors)).toEqual([]);
    for (let count = 0; count < 20; count += 1) expect(await client(query)).toEqual(whole);
    expect(await openCircuits()).toBe(1);
    replica(0).child.kill('SIGCONT');
    for (const line of ['circuit open', 'circuit closed']) await waitUntil(() => gateway.output().includes(line));
  });

  test('the fields of a subgraph are null while its two replicas are stopped, and complete as soon as one replica runs again', async () => {
    await Promise.all([processes.stop(replica(0)), processes.stop(replica(1))]);
    for (let times = 0; times < 10; times += 1) expect(await client(query)).toEqual(partial);
    await restart(1);
    expect(await client(query)).toEqual(whole);
    await restart(0);
  });
});

describe('the choice of a replica', () => {
  const startsReplica = (respondTo: Respond) => async () => {
    const replica = { received: 0 };
    const subgraph = await startFakeSubgraph((response, request) => {
      replica.received += 1;
      respondTo(response, request);
    });
    return Object.assign(replica, subgraph);
  };
  const healthy = startsReplica(respond(200, good));
  /** Responds after 500 ms. Even on a busy machine, the other replicas take less time. */
  const slow = startsReplica((response) => void setTimeout(() => response.writeHead(200, json).end(good), 500));
  const closes = startsReplica((_, { socket }) => void socket.destroy());
  const fails = startsReplica(respond(500, '{}'));

  const withReplicas = async (
    starters: readonly ReturnType<typeof startsReplica>[],
    use: (client: GraphqlClient, replicas: readonly { received: number }[]) => Promise<void>,
  ) => {
    const replicas = await Promise.all(starters.map((start) => start()));
    // With the default hedging delay, the gateway would send a request to a second replica too if a
    // busy machine delays the response of the first.
    const withoutHedging = { SUBGRAPH_HEDGE_MS: '60000', SUBGRAPH_TIMEOUT_MS: '60000' };
    const { gateway, client } = await startGateway(
      replicas.map(({ origin }) => origin),
      withoutHedging,
    );
    await use(client, replicas);
    await processes.stop(gateway);
    for (const replica of replicas) await replica.close();
  };

  test('the gateway sends single requests to replicas by turns, and sends fewer concurrent requests to a slow replica', async () => {
    await withReplicas([healthy, healthy, slow], async (client, [one, other, late]) => {
      for (let times = 0; times < 30; times += 1) expect((await client(query)).data).toEqual({ languages });
      expect([one?.received, other?.received, late?.received]).toEqual([10, 10, 10]);
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let times = 0; times < 20; times += 1) await client(query);
        }),
      );
      expect(late?.received).toBeLessThan(50);
      expect(one?.received).toBeGreaterThan(50);
      expect(other?.received).toBeGreaterThan(50);
    });
  });

  test('the gateway retries a failed query once, and sends the retry to another replica', async () => {
    await withReplicas([fails, closes, fails], async (client, replicas) => {
      expect((await client(query)).errors).toEqual([unavailable]);
      expect(replicas.reduce((sum, { received }) => sum + received, 0)).toBe(2);
    });
    await withReplicas([fails, healthy], async (client, [bad, well]) => {
      for (let times = 0; times < 30; times += 1) expect((await client(query)).data).toEqual({ languages });
      // The circuit of the failing replica opens after five failures in a row. Successful probes
      // close the circuit again, so the replica may receive more than five requests.
      expect(bad?.received).toBeGreaterThanOrEqual(5);
      expect(well?.received).toBe(30);
    });
  });
});
