import type { WorkBudget } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import type { Awaitable } from '../../shared/awaitable';
import { maxErrors } from '../../transport/response';
import type { Variables } from '../operation';
import type { RawError } from '../response';
import { merge, mergeInSteps, startMerge } from './merge';

/** A query plan of @apollo/gateway, with the members that the gateway reads. */
export interface QueryPlan {
  /** The root node. Absent if the operation needs no subgraph. */
  readonly node?: PlanNode | undefined;
}

export type PlanNode =
  | FetchNode
  /** `path` is the path of the entities: response keys, and @ for each item of a list. */
  | { kind: 'Flatten'; path: readonly (string | number)[]; node: PlanNode }
  | { kind: 'Sequence' | 'Parallel'; nodes: readonly PlanNode[] }
  /** `condition` is the name of the variable that decides whether the node is executed. */
  | { kind: 'Condition'; condition: string; ifClause?: PlanNode | undefined; elseClause?: PlanNode | undefined }
  | { kind: 'Defer' | 'Subscription' };

interface FetchNode {
  kind: 'Fetch';
  serviceName: string;
  operation: string;
  operationName?: string | undefined;
  variableUsages?: readonly string[] | undefined;
  /** The fields of the representations, in a fetch of entities. */
  requires?: readonly RequiredSelection[] | undefined;
  inputRewrites?: readonly unknown[] | undefined;
  outputRewrites?: readonly unknown[] | undefined;
  contextRewrites?: readonly unknown[] | undefined;
}

interface RequiredSelection {
  readonly kind: string;
  readonly name?: string;
  readonly alias?: string | undefined;
  readonly typeCondition?: string | undefined;
  readonly selections?: readonly RequiredSelection[] | undefined;
}

const isEmpty = (list: readonly unknown[] | undefined): boolean => list === undefined || list.length === 0;

/** Whether the fetch's request and response need no rewriting. */
export const isPlainFetch = ({ inputRewrites, outputRewrites, contextRewrites }: FetchNode): boolean =>
  [inputRewrites, outputRewrites, contextRewrites].every(isEmpty);

/**
 * Fetches a response. If the subgraph is unavailable, the response has an error at each requested
 * field.
 */
type FetchFromSubgraph = (subgraph: string, request: SubgraphRequest) => Awaitable<SubgraphResponse>;

/** One execution of a plan. */
export interface PlanExecution {
  /** The merged data of all responses so far. */
  readonly data: Record<string, unknown>;
  /** The variables as the client sent them. */
  readonly variables: Readonly<Variables>;
  readonly fetch: FetchFromSubgraph;
  /** The errors of all responses so far. */
  readonly errors: RawError[];
  readonly work: Pick<WorkBudget, 'runInSteps'>;
}

/** How many entities of a small response are merged in one step of less than a millisecond. */
const entitiesPerStep = 100;

/**
 * Executes one node of a plan. Resolves to false if a response is invalid: @apollo/gateway then
 * executes the plan.
 */
export type ExecuteNode = (execution: PlanExecution) => Promise<boolean>;

type Entity = Record<string, unknown>;

/**
 * Builds an entity's representation from its key fields. Returns null if a key field is missing.
 */
type Represent = (entity: Entity) => Entity | null;

/** @apollo/gateway uses this variable name in each fetch of entities. */
export const representationsVariable = 'representations';

/**
 * Compiles a fetch of fields of the query type. Returns null for a fetch that only @apollo/gateway
 * can execute: one whose request or response needs rewrites, or one that requires fields of
 * entities.
 */
export function compileRootFetch(fetch: FetchNode): ExecuteNode | null {
  if (fetch.requires !== undefined || !isPlainFetch(fetch)) return null;
  const buildRequest = compileRequest(fetch);
  return async (execution) => {
    if (hasTooManyErrors(execution)) return true;
    const { data, errors, isLarge } = await execution.fetch(fetch.serviceName, buildRequest(execution, {}));
    if (errors) execution.errors.push(...errors);
    if (data && isLarge) return execution.work.runInSteps(mergeInSteps(execution.data, data));
    return merge(execution.data, data);
  };
}

/**
 * Compiles a fetch of fields for the entities at a path. Returns null for a fetch that only
 * @apollo/gateway can execute: one whose request or response needs rewrites, one with a key field
 * that is an object, or one for an operation with a variable of its own named `representations`.
 */
export function compileEntityFetch(fetch: FetchNode, path: readonly (string | number)[]): ExecuteNode | null {
  const represent = compileRepresentation(fetch.requires ?? []);
  if (!represent || !isPlainFetch(fetch) || fetch.variableUsages?.includes(representationsVariable)) return null;
  const buildRequest = compileRequest(fetch);
  return async (execution) => {
    if (hasTooManyErrors(execution)) return true;
    const found: Entity[] = [];
    if (!collectEntities(execution.data, path, 0, found)) return false;
    const { entities, representations, indexes } = representAll(found, represent);
    if (entities.length === 0) return true;
    const request = buildRequest(execution, { [representationsVariable]: representations });
    const { data, errors, isLarge = false } = await execution.fetch(fetch.serviceName, request);
    if (errors) execution.errors.push(...locateEntityErrors(errors, execution.data, path, indexes));
    if (!data) return true;
    const received = data['_entities'];
    if (!Array.isArray(received) || received.length !== entities.length) return false;
    return execution.work.runInSteps(mergeEntities(entities, received, isLarge));
  };
}

/**
 * Returns whether one error will replace the data and all errors. Then no more responses are
 * fetched.
 */
const hasTooManyErrors = ({ errors }: PlanExecution): boolean => errors.length > maxErrors;

/** Returns the representations of the entities that have their key fields. */
function representAll(found: readonly Entity[], represent: Represent) {
  const entities: Entity[] = [];
  const representations: Entity[] = [];
  /** The index of each represented entity in `found`. */
  const indexes: number[] = [];
  for (const [index, entity] of found.entries()) {
    const representation = represent(entity);
    if (!representation) continue;
    entities.push(entity);
    representations.push(representation);
    indexes.push(index);
  }
  return { entities, representations, indexes };
}

/**
 * Merges each received entity into the entity of the same index. Returns false if a received entity
 * is invalid.
 */
function* mergeEntities(
  entities: readonly Entity[],
  received: readonly unknown[],
  isLarge: boolean,
): Generator<void, boolean> {
  const progress = startMerge();
  for (const [index, entity] of entities.entries()) {
    if (index % entitiesPerStep === entitiesPerStep - 1) yield;
    const isValid = isLarge ? yield* mergeInSteps(entity, received[index], progress) : merge(entity, received[index]);
    if (!isValid) return false;
  }
  return true;
}

/**
 * Compiles the builder of the request that @apollo/gateway would send. Of the variables that the
 * fetch uses, the request has those that the client sent.
 */
const compileRequest =
  ({ operation, operationName, variableUsages = [] }: FetchNode) =>
  ({ variables: sent }: PlanExecution, more: Readonly<Variables>): SubgraphRequest => {
    const variables: Variables = Object.create(null);
    for (const name of variableUsages) if (Object.hasOwn(sent, name)) variables[name] = sent[name];
    return { query: operation, variables: Object.assign(variables, more), operationName };
  };

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
 * Compiles the builder of representations. Returns null if a key field is an object with selected
 * fields.
 */
function compileRepresentation(required: readonly RequiredSelection[]): Represent | null {
  const keysByType = new Map<string, Set<string>>();
  for (const { kind, typeCondition, selections = [] } of required) {
    if (kind !== 'InlineFragment' || typeCondition === undefined) return null;
    const keys = keysByType.get(typeCondition) ?? new Set();
    keysByType.set(typeCondition, keys);
    if (!addKeys(typeCondition, selections, keys)) return null;
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

/**
 * Adds the key fields that the selections of a type require. If an operation nests @skip and
 * @include, the selections contain nested fragments of the same type. Returns false if a key field
 * has selected fields, or if a fragment has another type.
 */
function addKeys(type: string, selections: readonly RequiredSelection[], keys: Set<string>): boolean {
  return selections.every(({ kind, name, alias = name, typeCondition, selections: nested }) => {
    if (kind === 'InlineFragment') return typeCondition === type && addKeys(type, nested ?? [], keys);
    if (kind !== 'Field' || alias === undefined || nested !== undefined) return false;
    keys.add(alias);
    return true;
  });
}

type Path = readonly (string | number)[];

/**
 * Returns the errors of a fetch of entities with other paths. The paths of the subgraph begin with
 * `_entities` and an index. The returned paths lead to the same values in the merged data.
 */
function locateEntityErrors(
  errors: readonly RawError[],
  data: unknown,
  path: Path,
  /** The index of each fetched entity among all entities at the path. */
  indexes: readonly number[],
): RawError[] {
  const entityPaths: Path[] = [];
  collectPaths(data, path, 0, [], entityPaths);
  return errors.map((error) => {
    const [, index] = error.path ?? [];
    if (error.path === undefined) return error;
    if (typeof index !== 'number') return { ...error, path: [...path, ...error.path] };
    return { ...error, path: [...(entityPaths[indexes[index] ?? -1] ?? []), ...error.path.slice(2)] };
  });
}

/** Collects the paths of the entities at a path, without nulls. */
function collectPaths(value: unknown, path: Path, at: number, parent: Path, found: Path[]): void {
  if (value === null || value === undefined) return;
  const key = path[at];
  if (key === undefined) found.push(parent);
  else if (key !== '@') collectPaths((value as Record<string, unknown>)[key], path, at + 1, [...parent, key], found);
  else
    for (const [index, item] of (value as readonly unknown[]).entries())
      collectPaths(item, path, at + 1, [...parent, index], found);
}
