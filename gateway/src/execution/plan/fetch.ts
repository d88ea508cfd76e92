import type { BatchFetchNode, FetchNode, FetchRewrite, RequiresSelection } from '@graphql-hive/router-query-planner';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import type { Awaitable } from '../../shared/awaitable';
import { maxErrors } from '../../transport/response';
import { unavailableResponse } from '../measured-fetch';
import type { RawError, Variables } from '../operation';
import type { createMerge } from './merge';
import { applyRewrites, type Entity, type EntityPath, type IsSubtype, type ResponsePath, visitEntities } from './paths';
import { compileRepresentation, type Represent, type RepresentationParts } from './representation';

export interface PlanExecution {
  /** The merged data of all responses so far. */
  readonly data: Entity;
  /** The variables that the client sent, by their names in the plan. */
  readonly variables: Readonly<Variables>;
  /** If the subgraph is unavailable, the response has an error at each requested field. */
  readonly fetch: (subgraph: string, request: SubgraphRequest) => Awaitable<SubgraphResponse>;
  readonly errors: RawError[];
  readonly unknownEntities: WeakSet<object>;
}

export type ExecuteNode = (execution: PlanExecution) => Promise<void>;

export interface PlanParts extends RepresentationParts {
  readonly merge: ReturnType<typeof createMerge>;
}

/** If true, the response will be a single error without data, so no more requests are sent. */
const hasTooManyErrors = ({ errors }: PlanExecution): boolean => errors.length > maxErrors;

/** Compiles a fetch of fields of a root type. `path` is where a plan enters the root type again, and mostly empty. */
export function compileRootFetch({ isSubtype, merge }: PlanParts, fetch: FetchNode, path: EntityPath): ExecuteNode {
  return async (execution) => {
    if (hasTooManyErrors(execution)) return;
    const { data, errors } = await execution.fetch(fetch.serviceName, buildRequest(fetch, execution));
    visitEntities(
      execution.data,
      path,
      isSubtype,
      (entity, position) => {
        for (const error of errors ?? [])
          execution.errors.push(error.path && position ? { ...error, path: [...position, ...error.path] } : error);
        if (!data) return;
        applyRewrites(data, fetch.outputRewrites, isSubtype);
        // With several entities, each gets the same values, which merging would change.
        merge(entity, path.length === 0 ? data : structuredClone(data));
      },
      [],
    );
  };
}

/** A part of a fetch of entities: one `_entities` field. */
interface EntityGroup {
  readonly key: string;
  readonly variable: string;
  readonly paths: readonly EntityPath[];
  readonly represent: Represent;
  readonly outputRewrites: readonly FetchRewrite[] | undefined;
}

/** The maximum number of entities of which equal ones are requested separately, far below the limits of subgraphs. */
const maxCopies = 1_000;

export const compileEntityFetch = (
  parts: PlanParts,
  fetch: FetchNode,
  requires: readonly RequiresSelection[],
  path: EntityPath,
): ExecuteNode =>
  compileGroups(parts, fetch, [
    {
      key: '_entities',
      variable: 'representations',
      paths: [path],
      represent: compileRepresentation(parts, fetch.serviceName, requires, fetch.inputRewrites),
      outputRewrites: fetch.outputRewrites,
    },
  ]);

/** Compiles a request with several `_entities` fields, each for the entities at one or more paths. */
export const compileBatchFetch = (parts: PlanParts, fetch: BatchFetchNode): ExecuteNode =>
  compileGroups(
    parts,
    fetch,
    fetch.entityBatch.aliases.map(
      ({ alias, representationsVariableName, paths, requires, inputRewrites, outputRewrites }) => ({
        key: alias,
        variable: representationsVariableName,
        paths,
        represent: compileRepresentation(parts, fetch.serviceName, requires, inputRewrites),
        outputRewrites,
      }),
    ),
  );

function compileGroups(
  parts: PlanParts,
  fetch: FetchNode | BatchFetchNode,
  groups: readonly EntityGroup[],
): ExecuteNode {
  const { isSubtype, merge } = parts;
  const selectsText = /\btext\b/.test(fetch.operation);
  /**
   * Writes the representations of a group, each once: all verses of a list may have the same translation. With a text,
   * each is written as often as the response has it, because the subgraph counts its verses. `entities` has the objects
   * of each.
   */
  const represent = (
    group: EntityGroup,
    data: Entity,
    hasCopies = selectsText,
  ): { group: EntityGroup; entities: Entity[][]; representations: Entity[] } => {
    const indexes = new Map<string, number>();
    const entities: Entity[][] = [];
    const representations: Entity[] = [];
    for (const path of group.paths)
      visitEntities(data, path, isSubtype, (entity) => {
        const representation = group.represent(entity);
        if (!representation) return;
        const key = hasCopies ? '' : JSON.stringify(representation);
        const index = hasCopies ? undefined : indexes.get(key);
        if (index !== undefined) return void entities[index]?.push(entity);
        indexes.set(key, representations.push(representation) - 1);
        entities.push([entity]);
      });
    const hasTooMany = hasCopies && representations.length > maxCopies;
    return hasTooMany ? represent(group, data, false) : { group, entities, representations };
  };

  return async (execution) => {
    if (hasTooManyErrors(execution)) return;
    const found = groups.map((group) => represent(group, execution.data));
    if (found.every(({ entities }) => entities.length === 0)) return;
    const request = buildRequest(fetch, execution);
    const variables: Variables = { ...request.variables };
    for (const { group, representations } of found) variables[group.variable] = representations;
    const sent = { ...request, variables };
    const response = await execution.fetch(fetch.serviceName, sent);
    const fitsRequest = found.every(({ group, entities }) => {
      const received = response.data?.[group.key];
      return Array.isArray(received) ? received.length === entities.length : response.errors !== undefined;
    });
    const { data, errors } = fitsRequest ? response : unavailableResponse(sent);
    for (const { group, entities } of found) {
      if (errors) execution.errors.push(...locateErrors(errors, group, entities, execution.data, isSubtype));
      const received = data?.[group.key];
      if (!Array.isArray(received)) continue;
      for (const [index, equal] of entities.entries()) {
        const added = received[index] as Entity | null;
        if (typeof added !== 'object' || added === null) {
          for (const entity of equal) execution.unknownEntities.add(entity);
          continue;
        }
        applyRewrites(added, group.outputRewrites, isSubtype);
        // Parts of the response become parts of the entity, so each other entity gets a copy.
        for (const entity of equal.slice(1)) merge(entity, structuredClone(added));
        if (equal[0]) merge(equal[0], added);
      }
    }
    // An error without a path, or with the path of no group, is of the whole request.
    const keys = new Set(groups.map(({ key }) => key));
    for (const error of errors ?? [])
      if (error.path === undefined || !keys.has(String(error.path[0])))
        execution.errors.push({ ...error, path: undefined });
  };
}

/** Builds the request of a fetch. Only variables that the client sent are included. */
function buildRequest(
  { operation, operationName, variableUsages = [] }: FetchNode | BatchFetchNode,
  { variables }: PlanExecution,
): SubgraphRequest {
  const request: SubgraphRequest = { query: operation };
  if (operationName !== undefined) request.operationName = operationName;
  for (const name of variableUsages)
    if (Object.hasOwn(variables, name)) (request.variables ??= {})[name] = variables[name];
  return request;
}

/** Converts the paths of a group's errors: its key and the index of an entity become the entity's place in the data. */
function locateErrors(
  errors: readonly RawError[],
  { key, paths }: EntityGroup,
  entities: readonly (readonly Entity[])[],
  data: Entity,
  isSubtype: IsSubtype,
): RawError[] {
  const positions = new Map<Entity, ResponsePath | null>();
  for (const path of paths)
    visitEntities(data, path, isSubtype, (entity, position) => void positions.set(entity, position), []);
  return errors.flatMap((error) => {
    if (error.path?.[0] !== key) return [];
    const [, index, ...rest] = error.path;
    const equal = typeof index === 'number' ? entities[index] : undefined;
    if (equal) return equal.map((entity) => ({ ...error, path: [...(positions.get(entity) ?? []), ...rest] }));
    // The error is of all entities of the group, so its path ends where their paths part.
    const [position = []] = positions.values();
    const list = position?.findIndex((step) => typeof step === 'number') ?? -1;
    return [{ ...error, path: position?.slice(0, list === -1 ? undefined : list) ?? [] }];
  });
}
