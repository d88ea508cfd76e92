import { setTimeout as pause } from 'node:timers/promises';
import type { StartedProcess } from '@lectern/testing';
import { dataDir } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import type { BalancedResponse, LoadBalancer } from '../support/load-balancer';
import { createLoadBalancer } from '../support/load-balancer';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import { repeatRequests } from '../support/repeat-requests';

const subgraphNames = ['text', 'search', 'concordance'] as const;
const clients = 6;
/** The minimum number of responses that the clients must compare during a restart. */
const minResponses = 50;

/**
 * Operations on one subgraph and on several. Each value of `$n` gives another response, so that a
 * test notices a response that belongs to another request.
 */
const queries = [
  'query ($n: Int!) { verse(book: "PSA", chapter: $n, verse: 1) { reference text } }',
  'query ($n: Int!) { search(query: "mercy", translation: "eng-kjv", limit: $n) { id } }',
  'query ($n: Int!) { concordance(translation: "spa-rv1909", word: "misericordia", first: $n) { totalCount edges { cursor } } }',
  'query ($n: Int!) { search(query: "mercy", translation: "eng-kjv", limit: 2) { reference inTranslation(identifier: "spa-rv1909") { reference } words { text } } verse(book: "PSA", chapter: $n, verse: 2, translation: "eng-kjv") { words { text } } }',
];
const chapters = 20;

interface ExpectedResponse {
  /** The body of the request. */
  readonly body: string;
  /** The body of the response. */
  readonly expected: string;
}

/** Returns requests with their expected responses, which an embedded service produces. */
async function expectedResponses(): Promise<ExpectedResponse[]> {
  const lectern = await startEmbeddedLectern();
  const responses: ExpectedResponse[] = [];
  for (const query of queries) {
    for (let n = 1; n <= chapters; n += 1) {
      const response = await lectern.client(query, { n });
      if (response.errors) throw new Error(JSON.stringify(response));
      responses.push({ body: JSON.stringify({ query, variables: { n } }), expected: JSON.stringify(response) });
    }
  }
  await lectern.close();
  if (new Set(responses.map(({ expected }) => expected)).size < responses.length)
    throw new Error('two requests have the same response');
  return responses;
}

describe('two gateways and two replicas of each subgraph, under load', () => {
  let processes: TestProcesses;
  let balancer: LoadBalancer;
  let requests: ExpectedResponse[];
  const replicas: { name: (typeof subgraphNames)[number]; started: StartedProcess }[] = [];
  const gateways: StartedProcess[] = [];

  const startSubgraph = (name: string, env: Record<string, string> = {}) =>
    processes.start(`services/${name}/dist/main.js`, {
      LECTERN_DATA: dataDir,
      SEMANTIC_TRANSLATIONS: '',
      LOG_LEVEL: 'warn',
      ...env,
    });
  const startGateway = async (env: Record<string, string> = {}) => {
    const urls = Object.fromEntries(
      subgraphNames.map((name) => [
        name,
        replicas.filter((each) => each.name === name).map(({ started }) => started.origin),
      ]),
    );
    const { gateway } = await processes.startGateway(urls, {
      LOG_LEVEL: 'warn',
      DRAIN_MS: '1000',
      ...env,
    });
    return gateway;
  };
  const restartGateway = async (index: number, signal: NodeJS.Signals) => {
    const gateway = gateways[index];
    if (!gateway) throw new Error(`there is no gateway ${index}`);
    await processes.stop(gateway, signal);
    gateways[index] = await startGateway({ PORT: String(gateway.port) });
    await waitUntil(() => balancer.isReady(gateway.origin));
  };
  const restartReplica = async (index: number, signal: NodeJS.Signals) => {
    const replica = replicas[index];
    if (!replica) throw new Error(`there is no replica ${index}`);
    await processes.stop(replica.started, signal);
    await pause(200);
    replica.started = await startSubgraph(replica.name, { PORT: String(replica.started.port) });
  };

  beforeAll(async () => {
    requests = await expectedResponses();
    processes = await openProcesses();
    for (const name of subgraphNames)
      for (const started of await Promise.all([startSubgraph(name), startSubgraph(name)]))
        replicas.push({ name, started });
    gateways.push(...(await Promise.all([startGateway(), startGateway()])));
    balancer = createLoadBalancer(
      gateways.map(({ origin }) => origin),
      processes.token,
    );
  });
  afterAll(async () => {
    await balancer.close();
    await processes.close();
  });

  /**
   * Sends requests while `restart` runs. Returns the number of correct responses, and all responses
   * that are not correct.
   */
  const underLoad = async (restart: () => Promise<void>): Promise<{ complete: number; failed: BalancedResponse[] }> => {
    const load = { sent: 0, complete: 0 };
    const failed: BalancedResponse[] = [];
    const sendNext = async () => {
      const { body, expected } = requests[load.sent++ % requests.length] ?? { body: '', expected: '' };
      const response = await balancer.send(body);
      if (response.status === 200 && response.text === expected) load.complete += 1;
      else failed.push({ ...response, text: response.text.slice(0, 300) });
    };
    const stopRequests = repeatRequests(
      Array.from({ length: clients }, () => sendNext),
      40,
    );
    await pause(300);
    await restart();
    await pause(300);
    // On a busy machine, the clients may have sent too few requests so far.
    await waitUntil(() => load.sent > minResponses + clients);
    await stopRequests();
    return { complete: load.complete, failed };
  };

  /** Returns the responses that are not correct while `restart` runs under load. */
  const failuresWhile = async (restart: () => Promise<void>): Promise<BalancedResponse[]> => {
    const { complete, failed } = await underLoad(restart);
    if (complete < minResponses) throw new Error(`there were only ${complete} responses`);
    return failed;
  };

  test('a rolling restart of all subgraph replicas fails no request', async () => {
    expect(
      await failuresWhile(async () => {
        // Restarts the first replica of each subgraph, and then the second replica of each
        // subgraph.
        for (const first of [0, 1])
          await Promise.all([0, 2, 4].map((subgraph) => restartReplica(subgraph + first, 'SIGTERM')));
      }),
    ).toEqual([]);
  });

  test('a rolling restart of all gateways fails no request', async () => {
    expect(
      await failuresWhile(async () => {
        for (const index of gateways.keys()) await restartGateway(index, 'SIGTERM');
      }),
    ).toEqual([]);
  });

  test('no request fails if one of two replicas of a subgraph is killed', async () => {
    expect(await failuresWhile(() => restartReplica(0, 'SIGKILL'))).toEqual([]);
  });

  test('if one of two gateways is killed, only the requests in flight at the killed gateway and new connections to it fail', async () => {
    const { complete, failed } = await underLoad(() => restartGateway(0, 'SIGKILL'));
    // Each client has at most one request in flight. Until the next probe, the load balancer still
    // sends requests to the closed port of the gateway (ECONNREFUSED).
    expect(failed.every(({ error }) => error?.startsWith(gateways[0]?.origin ?? 'none') === true)).toBe(true);
    expect(failed.filter(({ error }) => error?.includes('ECONNREFUSED') !== true).length).toBeLessThanOrEqual(clients);
    expect(complete).toBeGreaterThan(minResponses);
  });
});
