import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOfThisRun, metricValue, repositoryRoot, useStarted } from '@lectern/testing';
import { buildSchema } from 'graphql';
import { generateFederatedOperation } from './federated-operation-generator';
import type { GeneratedOperation } from './operation-generator';
import { generateOperation } from './operation-generator';
import { startExecutionStrategies } from './start-execution-strategies';

/** Fields whose value may differ between two equal requests. */
const uncacheableFields = new Set(['Query.randomVerse', 'Query.verseOfTheDay']);
const schema = buildSchema(readFileSync(join(repositoryRoot, 'tests/contract.graphql'), 'utf8'), {
  assumeValid: true,
});
/**
 * Returns the numbers from 1 to `count` that TEST_SEED selects, as seeds of operations: `npm test` compares one of 28.
 */
const operationSeeds = (count: number): number[] =>
  itemsOfThisRun(
    Array.from({ length: count }, (_, index) => index + 1),
    28,
  );
const mixedSeeds = operationSeeds(2_000);
const federatedSeeds = operationSeeds(300);

const strategies = useStarted(startExecutionStrategies);

/**
 * Compares the responses of all execution strategies to an operation of each seed. Returns the
 * numbers of responses with data alone, with data and errors, and with errors alone.
 */
async function compareGenerated(seeds: readonly number[], generate: (seed: number) => GeneratedOperation) {
  const outcomes = { data: 0, partial: 0, rejected: 0 };
  for (const seed of seeds) {
    const accept = seed % 3 === 0 ? 'application/graphql-response+json' : 'application/json';
    const { differences, expected } = await strategies.compare(generate(seed), accept);
    expect(differences).toEqual([]);
    const { data, errors } = JSON.parse(expected.body) as { data?: unknown; errors?: unknown[] };
    outcomes[errors === undefined ? 'data' : data === undefined ? 'rejected' : 'partial'] += 1;
  }
  return outcomes;
}

test('each execution strategy answers random operations byte for byte as @apollo/gateway does', async () => {
  const outcomes = await compareGenerated(mixedSeeds, (seed) => generateOperation(schema, seed, uncacheableFields));
  // Each of the three outcomes must be frequent, or the comparison would hardly cover it.
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(mixedSeeds.length / 20);
});

test('each execution strategy answers random operations over several subgraphs byte for byte as @apollo/gateway does', async () => {
  const plannedExecutions = async () =>
    metricValue(await strategies.metrics(), 'lectern_executions_total', 'strategy="query-plan"');
  const before = await plannedExecutions();
  const outcomes = await compareGenerated(federatedSeeds, (seed) =>
    generateFederatedOperation(schema, seed, { wild: seed % 5 === 0 }),
  );
  const after = await plannedExecutions();
  expect(outcomes.data).toBeGreaterThan(federatedSeeds.length * 0.7);
  // These are the metrics of the service that chooses execution strategies. It receives each
  // operation twice, so the query-plan executor has executed more than half of the operations.
  expect(after - before).toBeGreaterThan(federatedSeeds.length);
});
