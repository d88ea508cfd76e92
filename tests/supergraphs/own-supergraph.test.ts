import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOfThisRun } from '@lectern/testing';
import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql';
import { startPlannerProcess } from '../../gateway/src/execution/planner-process';
import { generateQuery } from './query-generator';

const supergraphSdl = readFileSync(join(__dirname, '..', '..', 'supergraph.graphql'), 'utf8');
/** The seeds of queries over our own supergraph. `npm test` plans one of 40. */
const seeds = itemsOfThisRun(
  Array.from({ length: 10_000 }, (_, index) => index + 1),
  40,
);

/** Removes or repeats a part of a text. The place and the length depend on the seed. */
function mutate(text: string, seed: number): string {
  const start = (seed * 7_919) % text.length;
  const end = start + 1 + (seed % 12);
  return text.slice(0, start) + (seed % 2 === 0 ? '' : text.slice(start, end).repeat(2)) + text.slice(end);
}

/** The gateway plans only operations that graphql-js has parsed and validated. */
function isValid(schema: GraphQLSchema, operation: string): boolean {
  try {
    return validate(schema, parse(operation)).length === 0;
  } catch {
    return false;
  }
}

test('random and mutated valid operations over our own supergraph never end the process of the query planner', async () => {
  const { clientSchema, plan, close } = await startPlannerProcess(supergraphSdl);
  const schema = buildSchema(withoutBuiltIns(clientSchema), { assumeValidSDL: true });
  const ended: string[] = [];
  let plans = 0;
  for (const seed of seeds) {
    const { query } = generateQuery(schema, seed);
    const operations = [query, mutate(query, seed)].filter((operation) => isValid(schema, operation));
    for (const operation of operations)
      await plan(operation).then(
        () => (plans += 1),
        (error: Error) => {
          if (error.message.includes('native code')) ended.push(operation);
        },
      );
  }
  close();
  expect(ended).toEqual([]);
  expect(plans).toBeGreaterThan(seeds.length / 2);
});

/** Removes the introspection fields and types, which graphql-js has built in. */
const withoutBuiltIns = (sdl: string): string =>
  sdl.replace(/^ {2}__(schema|type)\b.*$/gm, '').replace(/^(type|enum) __\w+ \{[^}]*\}$/gm, '');
