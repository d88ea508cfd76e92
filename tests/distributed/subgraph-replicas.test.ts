import type { GraphqlClient, GraphqlResponse, StartedProcess } from '@lectern/testing';
import { dataDir, freePort, metricValue, send, useStarted } from '@lectern/testing';
import { unavailableAt } from '../support/fake-subgraph';
import { openProcesses, waitUntil } from '../support/processes';
import { repeatRequests } from '../support/repeat-requests';

const query = '{ languages { code } }';
const whole = { data: { languages: expect.arrayContaining([{ code: 'eng' }, { code: 'spa' }]) as unknown } };
const partial = { data: { languages: null }, errors: [unavailableAt('languages')] };
const minResponses = 100;

const processes = useStarted(openProcesses);
const replicas: StartedProcess[] = [];
let gateway: StartedProcess;
let client: GraphqlClient;
let metricsPort: number;

const startReplica = (env: Record<string, string> = {}) =>
  processes.start('services/text/dist/main.js', { LECTERN_DATA: dataDir, LOG_LEVEL: 'warn', ...env });

beforeAll(async () => {
  replicas.push(await startReplica(), await startReplica());
  metricsPort = await freePort();
  ({ gateway, client } = await processes.startGateway(
    { text: replicas.map(({ origin }) => origin) },
    { METRICS_PORT: String(metricsPort), SUBGRAPH_HEDGE_MS: '300' },
  ));
});

const openCircuits = async () =>
  metricValue(
    (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text,
    'lectern_replica_breaker_open',
    'subgraph="text"',
  );

test('if one of two replicas hangs, the other serves every request, and the circuit stays open until the first responds', async () => {
  replicas[0]?.child.kill('SIGSTOP');
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
  replicas[0]?.child.kill('SIGCONT');
  for (const line of ['circuit open', 'circuit closed']) await waitUntil(() => gateway.output().includes(line));
});

test('the fields of a subgraph are null while its two replicas are stopped, and complete as soon as one replica runs again', async () => {
  await Promise.all(replicas.map((replica) => processes.stop(replica)));
  for (let times = 0; times < 10; times += 1) expect(await client(query)).toEqual(partial);
  await startReplica({ PORT: String(replicas[1]?.port) });
  expect(await client(query)).toEqual(whole);
});
