import { useStarted } from '@lectern/testing';
import { supergraphs } from '.';
import type { SupergraphCase } from './fixture';
import { isKnownFailure, knownFailures } from './known-failures';
import { type CaseResponse, legs, startLegs } from './legs';

const started = useStarted(startLegs);

/** Returns what is wrong with the response, or null if it is right. */
function failureOf({ data, errors = [] }: SupergraphCase, response: CaseResponse): string | null {
  if (data === undefined)
    return response.data === undefined && response.errors?.length
      ? null
      : `the request is not rejected: ${JSON.stringify(response)}`;
  const shown = `${JSON.stringify(response.data)} with the errors ${JSON.stringify(response.errors ?? [])}`;
  if (JSON.stringify(response.data) !== JSON.stringify(data)) return `the data is ${shown}`;
  // @apollo/gateway writes "@" for the index of a list that it does not know.
  const paths = (response.errors ?? []).map(({ path = [] }) => path.filter((step) => step !== '@').join('.'));
  const areRight =
    errors.every((right) => paths.some((path) => isRelated(path, right))) &&
    paths.every((path) => errors.some((right) => isRelated(path, right)));
  return areRight ? null : `the errors are wrong: ${shown}`;
}

/** Whether one path leads to the other: an error of an entity may stand at the entity or at its fields. */
const isRelated = (one: string, other: string): boolean =>
  `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);

const legNames = {
  reference: 'the executor without query plans',
  apollo: '@apollo/gateway alone',
  standard: 'EXECUTION_STRATEGY=standard',
  auto: 'EXECUTION_STRATEGY=auto',
};

test.each(
  legs.flatMap((leg) => supergraphs.map((supergraph) => [legNames[leg], supergraph.name, leg, supergraph] as const)),
)(
  'with %s, the responses over the small supergraph %s are right, but for known failures',
  async (_legName, supergraph, leg, { subgraphs, cases }) => {
    const gateway = await started.open(leg, subgraphs());
    const surprises: unknown[] = [];
    for (const each of cases) {
      const failure = failureOf(each, await gateway.request(each.query, each.variables));
      const isKnown = isKnownFailure(leg, `${supergraph}: ${each.name}`);
      if (isKnown && !failure)
        surprises.push({ ...each, failure: 'the response is right: remove it from knownFailures' });
      if (!isKnown && failure) surprises.push({ ...each, failure });
    }
    expect(surprises).toEqual([]);
  },
);

test('each known failure names a case of a small supergraph', () => {
  const names = new Set(supergraphs.flatMap(({ name, cases }) => cases.map((each) => `${name}: ${each.name}`)));
  expect(knownFailures.flatMap(({ cases }) => cases.filter((each) => !names.has(each)))).toEqual([]);
});
