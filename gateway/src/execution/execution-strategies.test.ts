import { buildSchema, getOperationAST, parse } from 'graphql';
import { createFastRoutes } from './execution-strategies';

const schema = buildSchema('type Query { name: String }');
const ask = async () => ({ data: { name: 'Genesis' } });

/** An operation whose plan is as long. */
function planned(characters: number) {
  const document = parse('{ name }', { noLocation: true });
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return {
    schema,
    document,
    operation,
    plan: {
      kind: 'Sequence' as const,
      nodes: [{ kind: 'Fetch' as const, serviceName: 'text', operation: `{name}${' '.repeat(characters)}` }],
    },
  };
}

test('plans are kept within a bound, whatever is known of their operations, and one that was forgotten is learned again', async () => {
  const routes = createFastRoutes();
  const operations = Array.from({ length: 5 }, () => planned(4_000_000));
  const [first = planned(0)] = operations;
  const answer = async () => (await routes.of(first.operation)?.run?.({ variables: null, coerced: {} }, ask)) ?? null;
  for (const parts of operations) routes.learn(parts);
  expect(routes.of(first.operation)?.run).toBeTruthy();
  expect(await answer()).toBeNull();
  routes.learn(first);
  expect(await answer()).toEqual({ name: 'Genesis' });
});
