import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Awaitable } from '../../awaitable';
import type { SubgraphRequest, SubgraphResponse } from '../../transport/subgraph-fetch';
import type { Variables } from '../execution-types';
import { merge } from './merge-data';
import type { FetchNode, RequiredSelection } from './plan-nodes';
import { isPlainFetch } from './plan-nodes';

export type FetchFromSubgraph = (subgraph: string, request: SubgraphRequest) => Awaitable<SubgraphResponse>;

/** One execution of a plan. */
export interface PlanExecution {
  /** The merged data of all responses so far. */
  readonly data: Record<string, unknown>;
  /** The variables as the client sent them. */
  readonly variables: Readonly<Variables>;
  readonly fetch: FetchFromSubgraph;
  /** Whether other requests are served between the steps, because each step takes long. */
  isLarge: boolean;
}

/** The number of entities that are merged in a few milliseconds. */
const maxSmallFetch = 500;

/**
 * Executes one node of a plan. Resolves to false on any error. Then @apollo/gateway executes the
 * whole plan.
 */
export type ExecuteNode = (execution: PlanExecution) => Promise<boolean>;

type Entity = Record<string, unknown>;

/**
 * Builds an entity's representation from its key fields. Returns null if a key field is missing.
 */
type Represent = (entity: Entity) => Entity | null;

/** @apollo/gateway uses this variable name in each fetch of entities. */
export const representationsVariable = 'representations';

/** Compiles a fetch of fields of the query type. Returns null if the fetch has rewrites. */
export function compileRootFetch(fetch: FetchNode): ExecuteNode | null {
  if (fetch.requires !== undefined || !isPlainFetch(fetch)) return null;
  const buildRequest = compileRequest(fetch);
  return async (execution) => {
    const data = await fetchData(execution, fetch.serviceName, buildRequest(execution, {}));
    return data !== null && merge(execution.data, data);
  };
}

/**
 * Compiles a fetch of fields for the entities at a path. Returns null if the fetch has rewrites or
 * nested keys.
 */
export function compileEntityFetch(fetch: FetchNode, path: readonly (string | number)[]): ExecuteNode | null {
  const represent = compileRepresentation(fetch.requires ?? []);
  if (!represent || !isPlainFetch(fetch) || fetch.variableUsages?.includes(representationsVariable)) return null;
  const buildRequest = compileRequest(fetch);
  return async (execution) => {
    const entities: Entity[] = [];
    if (!collectEntities(execution.data, path, 0, entities)) return false;
    const representations: Entity[] = [];
    for (const entity of entities) {
      const representation = represent(entity);
      if (!representation) return false;
      representations.push(representation);
    }
    if (entities.length === 0) return true;
    const request = buildRequest(execution, { [representationsVariable]: representations });
    const data = await fetchData(execution, fetch.serviceName, request);
    const received = data?.['_entities'];
    if (!Array.isArray(received) || received.length !== entities.length) return false;
    if (entities.length > maxSmallFetch) {
      execution.isLarge = true;
      await nextTurn();
    }
    return entities.every((entity, index) => merge(entity, received[index]));
  };
}

/**
 * Builds the request that @apollo/gateway would send: with the variables that the fetch uses and
 * the client sent.
 */
const compileRequest =
  ({ operation, operationName, variableUsages = [] }: FetchNode) =>
  ({ variables: sent }: PlanExecution, more: Readonly<Variables>): SubgraphRequest => {
    const variables: Variables = Object.create(null);
    for (const name of variableUsages) if (Object.hasOwn(sent, name)) variables[name] = sent[name];
    return { query: operation, variables: Object.assign(variables, more), operationName };
  };

/**
 * Fetches data from a subgraph. Resolves to null if the subgraph is unavailable or its response has
 * errors.
 */
async function fetchData(
  { fetch }: PlanExecution,
  subgraph: string,
  request: SubgraphRequest,
): Promise<Readonly<Record<string, unknown>> | null> {
  let response: SubgraphResponse;
  try {
    response = await fetch(subgraph, request);
  } catch {
    return null;
  }
  return response.errors && response.errors.length > 0 ? null : (response.data ?? null);
}

/**
 * Collects the entities at a path, without nulls. Returns false if the data does not fit the path.
 */
function collectEntities(value: unknown, path: readonly (string | number)[], at: number, found: Entity[]): boolean {
  if (value === null || value === undefined) return true;
  const key = path[at];
  if (key === '@') return Array.isArray(value) && value.every((item) => collectEntities(item, path, at + 1, found));
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const object = value as Entity;
  if (key === undefined) found.push(object);
  else return collectEntities(Object.hasOwn(object, key) ? object[key] : null, path, at + 1, found);
  return true;
}

/**
 * Compiles the builder of an entity's representation. Returns null if a key has selections of its
 * own.
 */
function compileRepresentation(required: readonly RequiredSelection[]): Represent | null {
  const keysByType = new Map<string, string[]>();
  for (const { kind, typeCondition, selections = [] } of required) {
    if (kind !== 'InlineFragment' || typeCondition === undefined) return null;
    const keys = keysByType.get(typeCondition) ?? [];
    for (const { kind: inner, name, alias = name, selections: nested } of selections) {
      if (inner !== 'Field' || alias === undefined || nested !== undefined) return null;
      keys.push(alias);
    }
    keysByType.set(typeCondition, keys);
  }
  return (entity) => {
    const keys = keysByType.get(String(entity['__typename']));
    if (!keys) return null;
    const representation: Entity = {};
    for (const key of keys) {
      if (entity[key] === undefined) return null;
      representation[key] = entity[key];
    }
    return representation;
  };
}
