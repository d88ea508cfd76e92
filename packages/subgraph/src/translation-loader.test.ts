import { createWorkScheduler } from '@lectern/serving';
import { createPerTranslationLoader } from './translation-loader';

const { createBudget } = createWorkScheduler();

test('createPerTranslationLoader calls loadBatch once for each Bible translation, and returns values in the order of the keys', async () => {
  const batches: { translation: string; keys: readonly number[] }[] = [];
  const loader = createPerTranslationLoader(createBudget(), {
    loadBatch(translation: string, keys: readonly number[]) {
      batches.push({ translation, keys });
      return keys.map((key) => `${translation} ${key}`);
    },
  });
  const loaded = await Promise.all([
    loader.loadMany('web', [3, 1]),
    loader.load('kjv', 7),
    loader.load('web', 2),
    loader.loadMany('web', []),
    loader.load('web', 3),
  ]);
  expect(loaded).toEqual([['web 3', 'web 1'], 'kjv 7', 'web 2', [], 'web 3']);
  expect(batches).toEqual([
    { translation: 'web', keys: [3, 1, 2, 3] },
    { translation: 'kjv', keys: [7] },
  ]);
});

test('if loadBatch throws an error, createPerTranslationLoader rejects each load of the batch with this error', async () => {
  const loader = createPerTranslationLoader(createBudget(), {
    loadBatch(): string[] {
      throw new Error('disk failure');
    },
  });
  const loads = await Promise.allSettled([loader.load('web', 1), loader.loadMany('web', [2, 3])]);
  expect(loads).toMatchObject([{ reason: { message: 'disk failure' } }, { reason: { message: 'disk failure' } }]);
});

test.each([
  ['succeed', (keys: readonly number[]) => keys],
  [
    'fail',
    (): number[] => {
      throw new Error('disk failure');
    },
  ],
])('createPerTranslationLoader settles thousands of loads that %s in steps of at most 200', async (_, loadBatch) => {
  const loader = createPerTranslationLoader(createWorkScheduler().createBudget(), {
    loadBatch: (_translation: string, keys: readonly number[]) => loadBatch(keys),
  });
  const settledPerTurn = [0];
  const settle = (): void => void settledPerTurn.push((settledPerTurn.pop() ?? 0) + 1);
  const loads = Array.from({ length: 2_100 }, (__, key) => loader.load('web', key).then(settle, settle));
  const endTurn = (): void => {
    settledPerTurn.push(0);
    turn = setImmediate(endTurn);
  };
  let turn = setImmediate(endTurn);
  await Promise.all(loads);
  clearImmediate(turn);
  expect(Math.max(...settledPerTurn)).toBeLessThanOrEqual(200);
  expect(settledPerTurn.reduce((sum, count) => sum + count)).toBe(2_100);
});
