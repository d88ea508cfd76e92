import { createMetrics, noTelemetry } from '@lectern/telemetry';
import { createGraphqlClient, findProgram, metricValue } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import { startRedisCluster } from '../support/redis-topologies';

const server = findProgram(['redis-server'], 'redis-server');
const cli = findProgram(['redis-cli'], 'redis-tools');

const queryNumber = (number: number) => `{ verse(book: "PSA", chapter: 119, verse: 105) { text${number}: text } }`;

(server === null || cli === null ? describe.skip : describe)('the response cache in a Redis Cluster', () => {
  test('an embedded service serves a response that another embedded service stored in a Redis Cluster', async () => {
    const cluster = await startRedisCluster({ server: server ?? '', cli: cli ?? '' });
    const metrics = createMetrics({ service: 'other' });
    const options = {
      redisUrl: cluster.url,
      executionStrategy: 'auto' as const,
      responseCache: { maxBytes: 1_000_000, maxSeconds: 300, shared: true },
    };
    const first = await startEmbeddedLectern(options);
    const other = await startEmbeddedLectern({
      ...options,
      keys: first.keys,
      telemetry: { ...noTelemetry, metrics },
    });
    const client = createGraphqlClient(other.url, first.token);
    const expected: unknown[] = [];
    const actual: unknown[] = [];
    try {
      await waitUntil(async () => {
        expected.push(await first.client(queryNumber(expected.length)));
        actual.push(await client(queryNumber(actual.length)));
        return metricValue(await metrics.text(), 'lectern_response_cache_shared_requests_total', 'result="hit"') > 0;
      });
      expect(actual).toEqual(expected);
    } finally {
      await other.close();
      await first.close();
      await cluster.stop();
    }
  });
});
