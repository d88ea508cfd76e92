import type { WorkBudget } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import type { Awaitable } from '../../shared/awaitable';
import { maxErrors } from '../../transport/response';
import { pickVariables, type Variables } from '../chosen-operation';
import type { RawError } from '../response';
import { merge, mergeInSteps, startMerge } from './merge';

/** A query plan of @apollo/gateway. Only the members that the gateway reads are declared. */
export interface QueryPlan {
  /** Absent if the operation needs no subgraph. */
  readonly node?: PlanNode;
}

/** A path in the data: response keys and list indexes. In plans, `@` stands for each item of a list. */
type Path = readonly (string | number)[];

export type PlanNode =
  | FetchNode
  | { kind: 'Flatten'; path: Path; node: PlanNode }
  | { kind: 'Sequence' | 'Parallel'; nodes: readonly PlanNode[] }
  /** `condition` is the name of the variable that decides which clause is executed. */
  | { kind: 'Condition'; condition: string; ifClause?: PlanNode; elseClause?: PlanNode }
  | { kind: 'Defer' | 'Subscription' };

interface FetchNode {
  kind: 'Fetch';
  serviceName: string;
  operation: string;
  operationName?: string;
  variableUsages?: readonly string[];
  /** In a fetch of entities: the fields of each representation. */
  requires?: readonly RequiredSelection[];
  inputRewrites?: readonly unknown[];
  outputRewrites?: readonly unknown[];
  contextRewrites?: readonly unknown[];
}

interface RequiredSelection {
  readonly kind: string;
  readonly name?: string;
  readonly alias?: string;
  readonly typeCondition?: string;
  readonly selections?: readonly RequiredSelection[];
}

export const isPlainFetch = ({ inputRewrites, outputRewrites, contextRewrites }: FetchNode): boolean =>
  [inputRewrites, outputRewrites, contextRewrites].every((rewrites) => !rewrites?.length);

export interface PlanExecution {
  /** The merged data of all responses so far. */
  readonly data: Record<string, unknown>;
  /** The variables as the client sent them. */
  readonly variables: Readonly<Variables>;
  /**
   * Sends a request to a subgraph. If the subgraph is unavailable, the response has an error at each requested field.
   */
  readonly fetch: (subgraph: string, request: SubgraphRequest) => Awaitable<SubgraphResponse>;
  /** The errors of all responses so far. */
  readonly errors: RawError[];
  readonly work: Pick<ReturnType<WorkBudget['withoutLimit']>, 'runInSteps'>;
}

/** Executes a plan node. Resolves to false if a response is invalid: @apollo/gateway then executes the plan. */
export type ExecuteNode = (execution: PlanExecution) => Promise<boolean>;

type Entity = Record<string, unknown>;

/** The number of entities that are merged in one step, so that a step takes less than a millisecond. */
const entitiesPerStep = 100;

/** @apollo/gateway uses this variable name in each fetch of entities. */
export const representationsVariable = 'representations';

/**
 * Compiles a fetch of fields of the query type. Returns null if only @apollo/gateway can execute
 * the fetch, because it needs rewrites or requires fields of entities.
 */
export function compileRootFetch(fetch: FetchNode): ExecuteNode | null {
  if (fetch.requires !== undefined || !isPlainFetch(fetch)) return null;
  const buildRequest = compileRequest(fetch);
  return async (execution) => {
    if (hasTooManyErrors(execution)) return true;
    const { data, errors, isLarge } = await execution.fetch(fetch.serviceName, buildRequest(execution));
    if (errors) execution.errors.push(...errors);
    if (data && isLarge) return execution.work.runInSteps(mergeInSteps(execution.data, data));
    return merge(execution.data, data);
  };
}

/**
 * Compiles a fetch of fields for the entities at a path. Returns null if only @apollo/gateway can
 * execute the fetch: it needs rewrites, a key field is an object, or the operation has a variable
 * of its own named `representations`.
 */
export function compileEntityFetch(fetch: FetchNode, path: Path): ExecuteNode | null {
  const represent = compileRepresentation(fetch.requires ?? []);
  if (!represent || !isPlainFetch(fetch) || fetch.variableUsages?.includes(representationsVariable)) return null;
  const buildRequest = compileRequest(fetch);
  return async (execution) => {
    if (hasTooManyErrors(execution)) return true;
    const found: Entity[] = [];
    if (!collectEntities(execution.data, path, 0, found)) return false;
    const entities: Entity[] = [];
    const representations: Entity[] = [];
    for (const entity of found) {
      const representation = represent(entity);
      if (!representation) continue;
      entities.push(entity);
      representations.push(representation);
    }
    if (entities.length === 0) return true;
    const request = buildRequest(execution, { [representationsVariable]: representations });
    const { data, errors, isLarge = false } = await execution.fetch(fetch.serviceName, request);
    if (errors) execution.errors.push(...locateEntityErrors(errors, execution.data, path, entities));
    if (!data) return true;
    const received = data['_entities'];
    if (!Array.isArray(received) || received.length !== entities.length) return false;
    return execution.work.runInSteps(mergeEntities(entities, received, isLarge));
  };
}

/** If true, the response will be a single error without data, so no more requests are sent. */
const hasTooManyErrors = ({ errors }: PlanExecution): boolean => errors.length > maxErrors;

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
 * Creates the function that builds a subgraph request like that of @apollo/gateway. Only variables that the client sent
 * are included.
 */
const compileRequest =
  ({ operation, operationName, variableUsages = [] }: FetchNode) =>
  ({ variables }: PlanExecution, more?: Readonly<Variables>): SubgraphRequest => ({
    query: operation,
    variables: Object.assign(pickVariables(variableUsages, variables), more),
    operationName,
  });

/** Adds the entities at a path to `found`, without nulls. Returns false if the data does not fit the path. */
function collectEntities(value: unknown, path: Path, at: number, found: Entity[]): boolean {
  if (value === null || value === undefined) return true;
  const key = path[at];
  if (key === '@') return Array.isArray(value) && value.every((item) => collectEntities(item, path, at + 1, found));
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const object = value as Entity;
  if (key !== undefined) return collectEntities(Object.hasOwn(object, key) ? object[key] : null, path, at + 1, found);
  found.push(object);
  return true;
}

/**
 * Creates the function that builds a representation from an entity. Returns null if a key field is an object. The
 * created function returns null for an entity that lacks a key field.
 */
function compileRepresentation(required: readonly RequiredSelection[]): ((entity: Entity) => Entity | null) | null {
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
 * Adds the names of the key fields to `keys`. Nested @skip and @include lead to nested fragments of the same type.
 * Returns false if a key field has a selection, or if a fragment has another type.
 */
function addKeys(type: string, selections: readonly RequiredSelection[], keys: Set<string>): boolean {
  return selections.every(({ kind, name, alias = name, typeCondition, selections: nested }) => {
    if (kind === 'InlineFragment') return typeCondition === type && addKeys(type, nested ?? [], keys);
    if (kind !== 'Field' || alias === undefined || nested !== undefined) return false;
    keys.add(alias);
    return true;
  });
}

/**
 * Converts the paths of errors. A path of `_entities` begins with the index of an entity, which is replaced by the path
 * of this entity in the merged data.
 */
function locateEntityErrors(
  errors: readonly RawError[],
  data: unknown,
  path: Path,
  entities: readonly Entity[],
): RawError[] {
  const entityPaths = new Map<unknown, Path>();
  collectPaths(data, path, 0, [], entityPaths);
  return errors.map((error) => {
    const [, index] = error.path ?? [];
    if (error.path === undefined) return error;
    if (typeof index !== 'number') return { ...error, path: [...path, ...error.path] };
    return { ...error, path: [...(entityPaths.get(entities[index]) ?? []), ...error.path.slice(2)] };
  });
}

function collectPaths(value: unknown, path: Path, at: number, parent: Path, found: Map<unknown, Path>): void {
  if (value === null || value === undefined) return;
  const key = path[at];
  if (key === undefined) found.set(value, parent);
  else if (key !== '@') collectPaths((value as Entity)[key], path, at + 1, [...parent, key], found);
  else
    for (const [index, item] of (value as readonly unknown[]).entries())
      collectPaths(item, path, at + 1, [...parent, index], found);
}
