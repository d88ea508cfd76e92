import { setImmediate as afterAllTurns } from 'node:timers/promises';
import { createPacer } from '../index';
import type { WorkBudget } from './budget';
import { createWorkScheduler } from './scheduler';

/**
 * Creates a scheduler whose clock and turns the test controls. `compute` lets time pass. `turn`
 * runs the next turn of the event loop, if the scheduler has planned a turn.
 */
function createTestScheduler(requestCpuMs = 250) {
  let time = 0;
  let interruptedMs = 0;
  let planned: (() => void)[] = [];
  let afterBreak: { run: () => void; at: number } | null = null;
  const scheduler = createWorkScheduler({
    requestCpuMs,
    now: () => time,
    cpuTime: () => time - interruptedMs,
    inNextTurn: (run) => void planned.push(run),
    later(run, ms) {
      afterBreak = { run, at: time + ms };
    },
  });
  const compute = (ms: number): void => {
    time += ms;
  };
  return {
    createBudget: scheduler.createBudget,
    nextTurn: scheduler.nextTurn,
    compute,
    /** Lets time pass in which another process uses the processor. */
    interrupt(ms: number): void {
      time += ms;
      interruptedMs += ms;
    },
    now: () => time,
    hasPlanned: () => planned.length > 0 || afterBreak !== null,
    /**
     * Runs the next turn, after the break if no turn is planned before. Resolves with the duration
     * of the turn in milliseconds.
     */
    async turn(): Promise<number> {
      if (planned.length === 0 && afterBreak) {
        time = afterBreak.at;
        const { run } = afterBreak;
        afterBreak = null;
        run();
      }
      const startedAt = time;
      const runs = planned;
      planned = [];
      for (const run of runs) run();
      await afterAllTurns();
      return time - startedAt;
    },
    /** A generator of `count` steps of `ms` milliseconds. */
    *steps(count: number, ms: number, onStep: () => void = () => {}): Generator<void, string> {
      for (let step = 0; step < count; step += 1) {
        compute(ms);
        onStep();
        yield;
      }
      return 'done';
    },
  };
}

/**
 * Runs turns until the scheduler plans no further turn. Resolves with the duration of each turn.
 */
async function runTurns(scheduler: ReturnType<typeof createTestScheduler>): Promise<number[]> {
  const times: number[] = [];
  while (scheduler.hasPlanned()) times.push(await scheduler.turn());
  return times;
}

test('the work scheduler, which divides computing time between requests, does not pause a request that computes for 4 ms', () => {
  const scheduler = createTestScheduler();
  expect(scheduler.createBudget().runInSteps(scheduler.steps(3, 0.3))).toBe('done');
  expect(scheduler.hasPlanned()).toBe(false);
  expect(scheduler.createBudget().runInSteps(scheduler.steps(2, 2))).toBe('done');
});

test('the work scheduler pauses a request of 60 ms whenever it has computed for 5 ms or more', async () => {
  const scheduler = createTestScheduler();
  const result = scheduler.createBudget().runInSteps(scheduler.steps(30, 2));
  const times = await runTurns(scheduler);
  expect(await result).toBe('done');
  expect(Math.max(...times)).toBe(6);
  expect(times.reduce((sum, time) => sum + time)).toBe(54);
});

test('the work scheduler executes a small new request at once while a large request is paused', async () => {
  const scheduler = createTestScheduler();
  const large = scheduler.createBudget().runInSteps(scheduler.steps(30, 2));
  expect(large).toBeInstanceOf(Promise);
  expect(scheduler.createBudget().run(() => 'small')).toBe('small');
  await runTurns(scheduler);
});

test('the work scheduler lets three large requests take turns, each for at most 5 ms', async () => {
  const scheduler = createTestScheduler();
  const order: string[] = [];
  const start = (name: string, budget: WorkBudget) => budget.runInSteps(scheduler.steps(6, 5, () => order.push(name)));
  const results = ['a', 'b', 'c'].map((name) => start(name, scheduler.createBudget()));
  await runTurns(scheduler);
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
  const runs = order.join('').match(/(.)\1*/g) ?? [];
  expect(runs.every((run) => run.length === 1)).toBe(true);
});

test('the work scheduler continues a request that has computed for less time before the other requests of its client', async () => {
  const scheduler = createTestScheduler();
  const order: string[] = [];
  const start = (name: string, steps: number) =>
    scheduler.createBudget().runInSteps(scheduler.steps(steps, 2, () => order.push(name)));
  const large = ['a', 'b', 'c'].map((name) => start(name, 12));
  for (let turn = 0; turn < 4; turn += 1) await scheduler.turn();
  const small = start('small', 2);
  const before = order.lastIndexOf('small');
  await runTurns(scheduler);
  expect(await Promise.all([...large, small])).toEqual(['done', 'done', 'done', 'done']);
  expect(order.slice(before)).toEqual(['small', 'small', ...order.slice(before + 2)]);
});

test('the work scheduler runs three large computations that cannot be divided in different turns of the event loop', async () => {
  const scheduler = createTestScheduler();
  const order: string[] = [];
  const work = (name: string) =>
    scheduler.createBudget().runLarge(() => {
      scheduler.compute(8);
      order.push(name);
    });
  const results = [work('a'), work('b'), work('c')];
  expect(order).toEqual(['a']);
  await scheduler.turn();
  expect(order.length).toBeLessThanOrEqual(2);
  await runTurns(scheduler);
  await Promise.all(results);
  expect(order).toEqual(['a', 'b', 'c']);
});

test('if several callers wait for the next turn of the event loop, the work scheduler continues one of them in each turn', async () => {
  const scheduler = createTestScheduler();
  const order: string[] = [];
  for (const name of ['a', 'b']) void scheduler.nextTurn().then(() => order.push(name));
  await scheduler.turn();
  expect(order).toEqual(['a']);
  await runTurns(scheduler);
  expect(order).toEqual(['a', 'b']);
});

test('after a computation of 15 ms that cannot be divided, the work scheduler waits 10 ms before the next large one', async () => {
  const scheduler = createTestScheduler();
  const began: number[] = [];
  const compute = (ms: number) => {
    began.push(scheduler.now());
    scheduler.compute(ms);
  };
  const results = [
    scheduler.createBudget().runLarge(() => compute(15)),
    scheduler.nextTurn().then(() => compute(14)),
    scheduler.createBudget().runLarge(() => compute(120)),
    scheduler.nextTurn().then(() => compute(1)),
  ];
  await runTurns(scheduler);
  await Promise.all(results);
  expect(began).toEqual([0, 25, 39, 169]);
});

test('the work scheduler starts a large computation 10 ms after the previous large one, but a small one at once', async () => {
  const scheduler = createTestScheduler();
  void scheduler.createBudget().runLarge(() => scheduler.compute(15));
  await runTurns(scheduler);
  scheduler.compute(4);
  expect(scheduler.createBudget().run(() => 'small')).toBe('small');
  const large = scheduler.createBudget().runLarge(() => scheduler.now());
  await runTurns(scheduler);
  expect(await large).toBe(25);
});

test('the work scheduler lets a paused request continue between two large computations', async () => {
  const scheduler = createTestScheduler();
  const order: string[] = [];
  const large = [1, 2].map((name) =>
    scheduler.nextTurn().then(() => {
      scheduler.compute(12);
      order.push(`large ${name}`);
    }),
  );
  const steps = scheduler.createBudget().runInSteps(scheduler.steps(8, 3, () => order.push('step')));
  await runTurns(scheduler);
  await Promise.all([...large, steps]);
  expect(order.slice(order.indexOf('large 1') + 1, order.indexOf('large 2')).length).toBeGreaterThanOrEqual(4);
});

test('a request whose work pauses completes each field before it starts the next field', async () => {
  const scheduler = createTestScheduler();
  const budget = scheduler.createBudget();
  const order: string[] = [];
  const fields = ['a', 'b', 'c'].map((name) =>
    budget.run(() => budget.runInSteps(scheduler.steps(8, 5, () => order.push(name)))),
  );
  await runTurns(scheduler);
  expect(await Promise.all(fields)).toEqual(['done', 'done', 'done']);
  expect(order.join('')).toBe('aaaaaaaabbbbbbbbcccccccc');
});

test('a request that has exceeded its computing time gets REQUEST_TOO_EXPENSIVE for its remaining fields', async () => {
  const scheduler = createTestScheduler(100);
  const budget = scheduler.createBudget();
  const fields = [1, 2, 3, 4].map(() => budget.run(() => budget.runInSteps(scheduler.steps(20, 2))));
  const settled = Promise.allSettled(fields);
  await runTurns(scheduler);
  const results = await settled;
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(results[3]).toMatchObject({
    reason: {
      message: 'The request needs more than 100 ms of computing time; ask for fewer fields, or less at once',
      extensions: { code: 'REQUEST_TOO_EXPENSIVE' },
    },
  });
  expect(() => budget.run(() => 'more')).toThrow('more than 100 ms');
});

test('the time between two computations of a request does not count as its computing time', () => {
  const scheduler = createTestScheduler(100);
  const budget = scheduler.createBudget();
  expect(budget.runInSteps(scheduler.steps(10, 0.09))).toBe('done');
  scheduler.compute(1_000);
  expect(budget.run(() => 'in time')).toBe('in time');
});

test('the time for which other processes interrupt a request does not count as its computing time', async () => {
  const scheduler = createTestScheduler(100);
  const interruptedSteps = scheduler.steps(40, 2, () => scheduler.interrupt(8));
  const result = scheduler.createBudget().runInSteps(interruptedSteps);
  await runTurns(scheduler);
  expect(await result).toBe('done');
});

test('the work scheduler rejects a subgraph response of more than 200,000 values', () => {
  const budget = createTestScheduler().createBudget();
  expect(budget.shouldPause(200_000)).toBe(false);
  expect(() => budget.shouldPause(200_001)).toThrow('One response of a subgraph has at most 200000 values');
});

test('the work scheduler divides simultaneous small requests among several turns of the event loop, each of at most 32 ms', async () => {
  const scheduler = createTestScheduler();
  const startedAt = scheduler.now();
  const results = Array.from({ length: 30 }, () => scheduler.createBudget().runInSteps(scheduler.steps(1, 2)));
  const firstTurn = scheduler.now() - startedAt;
  const times = await runTurns(scheduler);
  expect(await Promise.all(results)).toEqual(results.map(() => 'done'));
  expect(Math.max(firstTurn, ...times)).toBeLessThanOrEqual(32);
});

test('the work scheduler divides small computations of one request among turns of the event loop of at most 7 ms', async () => {
  const scheduler = createTestScheduler();
  const request = scheduler.createBudget();
  const fetches = request.run(() =>
    Array.from({ length: 30 }, () => scheduler.createBudget().runInSteps(scheduler.steps(1, 2))),
  ) as (string | Promise<string>)[];
  const firstTurn = scheduler.now();
  const times = await runTurns(scheduler);
  expect(await Promise.all(fetches)).toEqual(fetches.map(() => 'done'));
  expect(Math.max(firstTurn, ...times)).toBeLessThanOrEqual(7);
});

test('a pacer continues its first caller at once, and further callers in the order of their calls', async () => {
  const continued: number[] = [];
  const pace = createPacer(5);
  const all = Promise.all([1, 2, 3, 4].map((number) => pace().then(() => continued.push(number))));
  await Promise.resolve();
  expect(continued).toEqual([1]);
  await all;
  expect(continued).toEqual([1, 2, 3, 4]);
});

test("the computing time of a request to a subgraph is limited to the computing time that the client's request has left", () => {
  const scheduler = createTestScheduler(250);
  const budget = scheduler.createBudget({ maxMs: 40 });
  for (const ms of [10, 20]) budget.measure(() => scheduler.compute(ms));
  expect([budget.usedMs(), budget.remainingMs(), budget.spent()]).toEqual([30, 10, null]);
  budget.measure(() => scheduler.compute(15));
  expect(budget.remainingMs()).toBe(0);
  expect(() => budget.run(() => 'more')).toThrow('more than 40 ms');
});

test('an operation of a high cost may compute for 7 ms for each point, and never for less than any request', () => {
  const budget = createTestScheduler(2_000).createBudget();
  budget.allowCost(300);
  expect([budget.limitMs, budget.isExtended]).toEqual([2_100, true]);
  budget.allowCost(10);
  expect(budget.limitMs).toBe(2_100);
  const cheap = createTestScheduler(2_000).createBudget();
  cheap.allowCost(200);
  expect([cheap.limitMs, cheap.isExtended]).toEqual([2_000, false]);
});

test('the work scheduler lets a client that has used little time continue before the requests of a heavy client', async () => {
  const scheduler = createTestScheduler();
  const order: string[] = [];
  const start = (client: string, steps: number) =>
    scheduler.createBudget({ clients: [client] }).runInSteps(scheduler.steps(steps, 2, () => order.push(client)));
  const heavy = Array.from({ length: 8 }, () => start('heavy', 10));
  for (let turn = 0; turn < 20; turn += 1) await scheduler.turn();
  const light = start('light', 4);
  const before = order.lastIndexOf('light');
  await runTurns(scheduler);
  await Promise.all([...heavy, light]);
  expect(order.lastIndexOf('light') - before).toBeLessThanOrEqual(4);
});

test('computing time that a subgraph reports reduces the computing time that the request has left', () => {
  const scheduler = createTestScheduler(100);
  const budget = scheduler.createBudget();
  budget.add(100);
  expect(budget.spent()?.extensions.code).toBe('REQUEST_TOO_EXPENSIVE');
  expect(() => budget.run(() => 'more')).toThrow('more than 100 ms');
  const { run, runInSteps } = budget.withoutLimit();
  expect(run(() => scheduler.compute(2))).toBeUndefined();
  expect(runInSteps(scheduler.steps(1, 1))).toBe('done');
  expect(budget.usedMs()).toBe(103);
});
