import { itemsOfThisRun, useStarted } from '@lectern/testing';
import { supergraphs } from '.';
import { knownSeeds, silentSeeds } from './known-failures';
import { startLegs } from './legs';
import { generateQuery } from './query-generator';

const started = useStarted(startLegs);
/** The seeds of queries over each supergraph. `npm test` compares one of 40. */
const seeds = itemsOfThisRun(
  Array.from({ length: 200 }, (_, index) => index + 1),
  40,
);

test.each(supergraphs.map((each) => [each.name, each] as const))(
  'random queries over the small supergraph %s get the same data as from the executor without query plans',
  async (name, { subgraphs }) => {
    const reference = await started.open('reference', subgraphs());
    const gateway = await started.open('auto', subgraphs());
    const known = new Set(knownSeeds[name]);
    const wrong: number[] = [];
    const surprises: unknown[] = [];
    for (const seed of seeds) {
      const { query, variables } = generateQuery(reference.schema, seed);
      const expected = await reference.request(query, variables);
      const received = await gateway.request(query, variables);
      const isRight =
        JSON.stringify(received.data) === JSON.stringify(expected.data) &&
        (received.errors === undefined) === (expected.errors === undefined);
      if (!isRight) wrong.push(seed);
      if (isRight && known.has(seed))
        surprises.push({ seed, failure: 'the response is right: remove it from knownSeeds' });
      const isSilent = !isRight && received.errors === undefined;
      if (isSilent && !silentSeeds[name]?.includes(seed)) surprises.push({ seed, failure: 'wrong without an error' });
      if (!isRight && !known.has(seed)) surprises.push({ seed, query, variables, expected, received });
    }
    expect({ wrong, surprises }).toEqual({ wrong, surprises: [] });
  },
);
