import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { parse } from 'graphql';
import { supergraphSdl } from '../../../test-support/shared-supergraph';
import { createPlannerThread, type PlannerThread, type PlannerThreadOptions } from './planner-thread';

let planner: PlannerThread;
let started: Worker[] = [];
// Other worker threads may start in the process of the tests. Only the planner's have this memory
// limit.
const onWorker = (worker: Worker): void => {
  if (worker.resourceLimits?.maxOldGenerationSizeMb === 256) started.push(worker);
};
beforeEach(() => {
  started = [];
  process.on('worker', onWorker);
});
afterEach(async () => {
  process.off('worker', onWorker);
  await planner.close();
});

function openPlanner(options: Partial<PlannerThreadOptions> = {}): PlannerThread {
  planner = createPlannerThread({ supergraphSdl, ...options });
  return planner;
}

const plan = (name: string, keyId = 'a key') =>
  planner.plan(keyId, name, parse(`query ${name} { books { name } languages { code } }`));

const planned = { kind: 'planned', plan: { kind: 'QueryPlan', node: { kind: 'Fetch', serviceName: 'text' } } };

test('one thread plans all operations of a gateway, and concurrent requests for the same query plan share the plan', async () => {
  openPlanner();
  const [first, second] = await Promise.all([plan('A'), plan('A')]);
  expect(first).toMatchObject(planned);
  expect(second).toBe(first);
  expect(await plan('B')).toMatchObject(planned);
  expect(started).toHaveLength(1);
});

test('the planner thread takes operations of different API keys by turns, and rejects an operation with RATE_LIMITED if too many operations of its key wait', async () => {
  openPlanner({ maxWaitingPerKey: 2 });
  const order: string[] = [];
  const record = async (name: string, keyId: string) => {
    await plan(name, keyId);
    order.push(name);
  };
  const waiting = [record('A1', 'a'), record('A2', 'a'), record('A3', 'a'), record('B1', 'b')];
  await expect(plan('A4', 'a')).rejects.toMatchObject({ extensions: { code: 'RATE_LIMITED' } });
  await Promise.all(waiting);
  expect(order).toEqual(['A1', 'A2', 'B1', 'A3']);
});

test('a planner thread that exceeds maxPlanningMs is ended, its operation is reported as too expensive, and a new thread plans the next operation', async () => {
  openPlanner({ maxPlanningMs: 1 });
  expect(await plan('A')).toEqual({ kind: 'too-expensive', maxMs: 1 });
  expect(await plan('B')).toEqual({ kind: 'too-expensive', maxMs: 1 });
  expect(started).toHaveLength(2);
});

test('if the planner thread ends during a plan, the operation of this plan fails, and a new thread plans the waiting operation', async () => {
  openPlanner();
  const failure = plan('A').catch((error: unknown) => error);
  const waiting = plan('B');
  await nextTurn();
  await started.at(-1)?.terminate();
  expect(await failure).toEqual(new Error('the thread of the planner ended'));
  expect(await waiting).toMatchObject(planned);
  expect(started).toHaveLength(2);
});

test('an operation that cannot be planned fails, and the same planner thread plans the next operation', async () => {
  openPlanner();
  await expect(planner.plan('a key', 'invalid', parse('{ weather }'))).rejects.toThrow('weather');
  expect(await plan('A')).toMatchObject(planned);
  expect(started).toHaveLength(1);
});

test('a planner thread without work is stopped after its idle time, and the next operation starts a new thread', async () => {
  openPlanner({ maxIdleMs: 1 });
  await plan('A');
  await new Promise((resolve) => started[0]?.once('exit', resolve));
  expect(await plan('B')).toMatchObject(planned);
  expect(started).toHaveLength(2);
});
