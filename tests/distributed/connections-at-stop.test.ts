import { setTimeout as pause } from 'node:timers/promises';
import type { RunningProgram, StartedProcess } from '@lectern/testing';
import { dataDir, findProgram, graphqlHeaders, isLongRun, linkData, send, startRedis } from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';

/**
 * How often a test stops each process, and how many connections arrive at most in a round: half of
 * them before SIGTERM, and half after it.
 */
const { rounds, connections } = isLongRun ? { rounds: 5, connections: 1_000 } : { rounds: 1, connections: 300 };
const connectionsPerMs = 2;

const redisServer = findProgram(['redis-server'], 'redis-server');
let redis: RunningProgram | null = null;
let processes: TestProcesses;
let text: StartedProcess;

const startText = () => processes.start('services/text/dist/main.js', { LECTERN_DATA: dataDir });
const startEmbedded = (env: Record<string, string>): Promise<StartedProcess> =>
  processes.start('packages/standalone/dist/main.js', {
    LECTERN_DATA: processes.folder,
    KEY_PEPPER: pepper,
    SEMANTIC_TRANSLATIONS: '',
    RATE_PER_MINUTE: '0',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    ...env,
  });

beforeAll(async () => {
  processes = await openProcesses();
  linkData(processes.folder);
  text = await startText();
  if (redisServer) redis = await startRedis(redisServer);
});
afterAll(async () => {
  await processes.close();
  await redis?.stop();
});

/**
 * Sends a query on a new connection. Returns the HTTP status, or the code of the connection error.
 */
const sendQuery = ({ origin }: StartedProcess): Promise<number | string> =>
  send(`${origin}/graphql`, {
    headers: graphqlHeaders(processes.token),
    body: JSON.stringify({ query: '{ verse(book: "JHN", chapter: 3, verse: 16) { text } }' }),
  }).then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );

/**
 * The maximum number of requests that wait for a response at a time. A service that stops waits at
 * most five seconds for connections that it has not accepted. Even a busy machine accepts so few
 * connections within this time.
 */
const maxOpen = 100;
/**
 * The maximum time for which connections arrive after SIGTERM, in milliseconds. A service that stops
 * listens for two seconds while connections arrive. So the last connection arrives before it stops
 * listening, and the operating system resets none.
 */
const maxMsAfterSignal = 1_000;

/**
 * Sends requests on new connections, and SIGTERM to the service after half of them. Returns the
 * HTTP status or the error code of each request before and after SIGTERM.
 */
async function stopBetweenConnections(service: StartedProcess): Promise<(number | string)[][]> {
  let open = 0;
  const sendHalf = async (ms: number): Promise<Promise<number | string>[]> => {
    const results: Promise<number | string>[] = [];
    const endsAt = performance.now() + ms;
    while (results.length < connections / 2 && performance.now() < endsAt) {
      open += 1;
      results.push(sendQuery(service).finally(() => (open -= 1)));
      if (results.length % (10 * connectionsPerMs) === 0) await pause(10);
      await waitUntil(() => open < maxOpen);
    }
    // Node begins the connections of the last requests only when this function pauses.
    await pause(0);
    return results;
  };
  const earlier = await sendHalf(Infinity);
  service.child.kill('SIGTERM');
  const later = await sendHalf(maxMsAfterSignal);
  expect(await service.ended).toBe(0);
  return Promise.all([Promise.all(earlier), Promise.all(later)]);
}

test.each<[string, () => Promise<StartedProcess>]>([
  ['the embedded service with DRAIN_MS=0', () => startEmbedded({ DRAIN_MS: '0' })],
  ['the embedded service with DRAIN_MS=500', () => startEmbedded({ DRAIN_MS: '500' })],
  // The primary process hands connections to its workers one by one, so the last ones must arrive within DRAIN_MS.
  ...(redisServer ? ['2000'] : []).map((drainMs): [string, () => Promise<StartedProcess>] => [
    `the embedded service with WORKERS=2 and DRAIN_MS=${drainMs}`,
    () => startEmbedded({ DRAIN_MS: drainMs, WORKERS: '2', REDIS_URL: redis?.url ?? '' }),
  ]),
  [
    'a gateway with DRAIN_MS=500',
    async () => (await processes.startGateway({ text: [text.origin] }, { DRAIN_MS: '500' })).gateway,
  ],
  ['a subgraph', startText],
])(
  'if %s receives SIGTERM, earlier connections get 200, and later connections get 200 or ECONNREFUSED',
  async (_, start) => {
    for (let round = 1; round <= rounds; round += 1) {
      const [earlier = [], later = []] = await stopBetweenConnections(await start());
      expect(earlier.filter((result) => result !== 200)).toEqual([]);
      // A process that no longer listens refuses new connections.
      expect(later.filter((result) => result !== 200 && result !== 'ECONNREFUSED')).toEqual([]);
    }
  },
);
