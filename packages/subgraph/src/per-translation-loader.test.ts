import { createWorkScheduler } from '@lectern/serving';
import { createPerTranslationLoader } from './per-translation-loader';

const { createBudget } = createWorkScheduler();

test('createPerTranslationLoader calls loadBatch once for each translation and returns values in the order of the keys', async () => {
  const batches: { translation: string; keys: readonly number[] }[] = [];
  const loader = createPerTranslationLoader(createBudget(), (translation: string, keys: readonly number[]) => {
    batches.push({ translation, keys });
    return keys.map((key) => `${translation} ${key}`);
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

test('createPerTranslationLoader rejects each load of a batch whose loadBatch throws', async () => {
  const loader = createPerTranslationLoader(createBudget(), (): string[] => {
    throw new Error('disk failure');
  });
  const loads = await Promise.allSettled([loader.load('web', 1), loader.loadMany('web', [2, 3])]);
  expect(loads).toMatchObject([{ reason: { message: 'disk failure' } }, { reason: { message: 'disk failure' } }]);
});
