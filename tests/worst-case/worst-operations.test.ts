import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KnownOperation, MeasuredOperation, MeasuredProcess, OperationMeter } from '@lectern/testing';
import {
  createOperationMeter,
  describeOperation,
  graphqlHeaders,
  isLongRun,
  itemsOfThisRun,
  knownEntityRequests,
  knownOperations,
  linkData,
  maxClientRequest,
  maxDelayMs,
  maxSubgraphRequest,
  searchWorstOperations,
  startMeasuredProcess,
  testSeed,
  useStarted,
} from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';
import type { TestProcesses } from '../support/processes';
import { openProcesses } from '../support/processes';
import { repositorySubgraphs } from '../support/supergraph-yaml';

/** The number of operations that the search for slow operations generates and measures. */
const operations = isLongRun ? 2_000 : 40;
/**
 * The maximum number of measurements of an operation, of which the shortest counts. After one of at
 * most `shortEnoughMs`, the operation is not measured again.
 */
const repetitions = 3;
/**
 * The longest time for which an operation may block the event loop on the reference machine.
 * `limitOf` returns a longer time on slower machines.
 */
const shortEnoughMs = 50;

let processes: TestProcesses;
beforeAll(async () => {
  processes = await openProcesses();
  linkData(processes.folder);
});
afterAll(() => processes.close());

/** Returns for how many milliseconds an operation may block the event loop of the service here. */
async function limitOf(service: MeasuredProcess): Promise<number> {
  const calibrations: number[] = [];
  for (let repetition = 0; repetition < 9; repetition += 1) calibrations.push(await service.calibrate());
  return maxDelayMs(calibrations);
}

interface Measured extends MeasuredOperation {
  query: string;
  variables: Record<string, unknown>;
}

/**
 * Describes the operations that block the event loop too long, and writes their full text to a
 * file. Returns [] if there are none.
 */
async function describeSlow(service: MeasuredProcess, measured: readonly Measured[]): Promise<string[]> {
  if (measured.every(({ delayMs }) => delayMs <= shortEnoughMs)) return [];
  const limitMs = await limitOf(service);
  const slow = measured.filter(({ delayMs }) => delayMs > limitMs);
  if (slow.length === 0) return [];
  const file = join(mkdtempSync(join(tmpdir(), 'lectern-worst-case-')), 'operations.json');
  writeFileSync(file, JSON.stringify(slow.map(({ query, variables }) => ({ query, variables }))));
  return [
    ...slow.map((each) => `${each.delayMs.toFixed(0)} ms: ${describeOperation(each)}`),
    `The limit is ${limitMs.toFixed(0)} ms. To measure again: node bench/worst-case.mjs --measure ${file}`,
  ];
}

async function measureAll(meter: OperationMeter, known: readonly KnownOperation[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const operation of known)
    measured.push({ ...operation, ...(await meter.measure(operation, repetitions, shortEnoughMs)) });
  return measured;
}

describe('the embedded service', () => {
  let service: MeasuredProcess;
  let headers: string[];
  beforeAll(async () => {
    headers = graphqlHeaders(processes.token);
    service = await startMeasuredProcess('packages/standalone/dist/main.js', {
      LECTERN_DATA: processes.folder,
      KEY_PEPPER: pepper,
      RATE_PER_MINUTE: '0',
      KEY_RATE_PER_MINUTE: '0',
      RATE_PER_DAY: '0',
      // A cached response would take less time than the execution of the operation.
      RESPONSE_CACHE_BYTES: '0',
    });
  });
  afterAll(() => service.stop());

  // This test runs first, so that V8 has compiled the code of the service before the next test
  // measures the operations that were slow in earlier versions.
  test('no random operation within the query limits blocks the event loop for more than 50 ms', async () => {
    const { worst } = await searchWorstOperations({
      service,
      headers,
      max: maxClientRequest,
      seed: testSeed(),
      continues: (measured) => measured < operations,
    });
    expect(await describeSlow(service, worst)).toEqual([]);
  });

  test('no operation that blocked the event loop in earlier versions of Lectern blocks the embedded service for more than 50 ms', async () => {
    const meter = createOperationMeter({ service, headers, maxBodyBytes: maxClientRequest.bytes });
    expect(await describeSlow(service, await measureAll(meter, itemsOfThisRun(knownOperations(), 6)))).toEqual([]);
  });
});

// `npm test` checks one of the subgraphs in a run, and `npm run test:long` checks all.
describe.each(itemsOfThisRun(repositorySubgraphs, repositorySubgraphs.length))(
  'the $name subgraph',
  ({ name, schemaFile }) => {
    const service = useStarted(() =>
      startMeasuredProcess(`services/${name}/dist/main.js`, {
        LECTERN_DATA: processes.folder,
        SEMANTIC_TRANSLATIONS: '',
      }),
    );

    test(`requests for thousands of entities block the event loop of the ${name} subgraph for at most 50 ms`, async () => {
      const headers = ['Content-Type', 'application/json', 'Accept', 'application/json'];
      const meter = createOperationMeter({ service, headers, maxBodyBytes: maxSubgraphRequest.bytes });
      expect(await describeSlow(service, await measureAll(meter, knownEntityRequests(name, schemaFile)))).toEqual([]);
    });
  },
);
