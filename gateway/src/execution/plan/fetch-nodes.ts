import type { SubgraphRequest, SubgraphResponse } from '../../transport/subgraph-fetch';
import { merge } from './merge';
import type { FetchNode, RequiredNode } from './plan-node';
import { isPlainFetch } from './plan-node';
import type { Run, Step } from './step';

type Entity = Record<string, unknown>;

/** What an entity is told to another subgraph by; null where it lacks something of it. */
type Represent = (entity: Entity) => Entity | null;

/** The engine's own name for it in every fetch of entities. */
const representationsVariable = 'representations';

/** Fields of the query itself. Null for what is more than a fetch. */
export function compileRootFetch(fetch: FetchNode): Step | null {
  if (fetch.requires !== undefined || !isPlainFetch(fetch)) return null;
  const requestFor = compileRequest(fetch);
  return async (run) => {
    const data = await dataOf(run, fetch.serviceName, requestFor(run, {}));
    return data !== null && merge(run.data, data);
  };
}

/** Further fields of the entities at a path in what is known already. Null for what is more than a fetch. */
export function compileEntityFetch(fetch: FetchNode, path: readonly (string | number)[]): Step | null {
  const represent = compileRepresentation(fetch.requires ?? []);
  if (!represent || !isPlainFetch(fetch) || fetch.variableUsages?.includes(representationsVariable)) return null;
  const requestFor = compileRequest(fetch);
  return async (run) => {
    const entities: Entity[] = [];
    if (!collect(run.data, path, 0, entities)) return false;
    const representations: Entity[] = [];
    for (const entity of entities) {
      const representation = represent(entity);
      if (!representation) return false;
      representations.push(representation);
    }
    if (entities.length === 0) return true;
    const data = await dataOf(run, fetch.serviceName, requestFor(run, { [representationsVariable]: representations }));
    const received = data?.['_entities'];
    if (!Array.isArray(received) || received.length !== entities.length) return false;
    return entities.every((entity, index) => merge(entity, received[index]));
  };
}

/** As the engine sends it: only the variables that this fetch uses, and of those the ones that were given. */
const compileRequest =
  ({ operation, operationName, variableUsages = [] }: FetchNode) =>
  (run: Run, more: Readonly<Record<string, unknown>>): SubgraphRequest => {
    const variables: Record<string, unknown> = Object.create(null);
    for (const name of variableUsages) if (Object.hasOwn(run.variables, name)) variables[name] = run.variables[name];
    return { query: operation, variables: Object.assign(variables, more), operationName };
  };

/** Null where there is an error to tell, or nothing came. */
async function dataOf(
  run: Run,
  subgraph: string,
  request: SubgraphRequest,
): Promise<Readonly<Record<string, unknown>> | null> {
  let answer: SubgraphResponse;
  try {
    answer = await run.ask(subgraph, request);
  } catch {
    return null;
  }
  return answer.errors && answer.errors.length > 0 ? null : (answer.data ?? null);
}

/** All entities at the path, nulls left out. False where the data is not what the path says. */
function collect(value: unknown, path: readonly (string | number)[], at: number, found: Entity[]): boolean {
  if (value === null || value === undefined) return true;
  const name = path[at];
  if (name === '@') return Array.isArray(value) && value.every((each) => collect(each, path, at + 1, found));
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const object = value as Entity;
  if (name === undefined) found.push(object);
  else return collect(Object.hasOwn(object, name) ? object[name] : null, path, at + 1, found);
  return true;
}

/** Keys of plain fields, by type. Null for keys within keys. */
function compileRepresentation(required: readonly RequiredNode[]): Represent | null {
  const keysOf = new Map<string, string[]>();
  for (const { kind, typeCondition, selections = [] } of required) {
    if (kind !== 'InlineFragment' || typeCondition === undefined) return null;
    const keys = keysOf.get(typeCondition) ?? [];
    for (const { kind: inner, name, alias = name, selections: within } of selections) {
      if (inner !== 'Field' || alias === undefined || within !== undefined) return null;
      keys.push(alias);
    }
    keysOf.set(typeCondition, keys);
  }
  return (entity) => {
    const keys = keysOf.get(String(entity['__typename']));
    if (!keys) return null;
    const representation: Entity = {};
    for (const key of keys) {
      if (entity[key] === undefined) return null;
      representation[key] = entity[key];
    }
    return representation;
  };
}
