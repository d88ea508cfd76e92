import { collectFields, fragmentsByName } from '@lectern/execution';
import type { GraphQLSchema } from 'graphql';
import type { ChosenOperation, Variables } from '../chosen-operation-and-trace-context-types';
import type { ProjectionState } from './projection';
import { compileObject, valuesPerStep } from './projection';

export type ProjectedData =
  | {
      readonly kind: 'data';
      readonly data: Record<string, unknown> | null;
      readonly hasPropagatedNull: boolean;
      /** Whether the data is so large that it must be written as JSON in several steps. */
      readonly isLarge: boolean;
    }
  /** The kind for data that does not fit the schema. */
  | { readonly kind: 'invalid' };

/** Copies the fields that an operation selects from the merged data of all responses. */
export interface Projection {
  /**
   * Projects the data in one step. Returns null if the data has more than `maxValues` fields and
   * list items, 10,000 by default.
   */
  project(data: unknown, maxValues?: number): ProjectedData | null;
  projectInSteps(data: unknown): Generator<void, ProjectedData>;
}

/**
 * Data with at most this many fields and list items is projected and written as JSON in one step.
 */
const maxValuesAtOnce = 10_000;

/** Data whose strings have at most this many UTF-16 units is written as JSON in one step. */
const maxCharactersAtOnce = 500_000;

export interface ProjectedOperation extends ChosenOperation {
  /** The client's names of renamed fields, by the name in the operation. */
  readonly clientNames?: ReadonlyMap<string, string>;
}

/**
 * Compiles the projection of an operation's data. Returns null if the operation selects
 * introspection fields, or fields of an interface or union, which depend on the type of each value.
 */
export function compileProjection(
  schema: GraphQLSchema,
  { document, definition, clientNames = new Map() }: ProjectedOperation,
  conditions: Variables,
  onField: () => void = () => {},
): Projection | null {
  const root = schema.getRootType(definition.operation);
  if (!root) return null;
  const fragments = fragmentsByName(document);
  const fields = collectFields(schema, fragments, conditions, root, definition.selectionSet);
  const compiled = compileObject({ schema, fragments, conditions, clientNames, onField }, root, fields);
  if (!compiled) return null;
  const { project, projectInSteps } = compiled;
  const toData = (data: unknown, { values, characters, hasPropagatedNull }: ProjectionState): ProjectedData =>
    data === undefined
      ? { kind: 'invalid' }
      : {
          kind: 'data',
          data: data as Record<string, unknown> | null,
          hasPropagatedNull,
          isLarge: values > maxValuesAtOnce || characters > maxCharactersAtOnce,
        };
  return {
    project(data, maxValues = maxValuesAtOnce) {
      const state: ProjectionState = {
        values: 0,
        characters: 0,
        maxValues,
        pauseAbove: Infinity,
        hasPropagatedNull: false,
      };
      const projected = project(data, state);
      return state.values > maxValues ? null : toData(projected, state);
    },
    *projectInSteps(data) {
      const state: ProjectionState = {
        values: 0,
        characters: 0,
        maxValues: Infinity,
        pauseAbove: valuesPerStep,
        hasPropagatedNull: false,
      };
      return toData(projectInSteps ? yield* projectInSteps(data, state) : project(data, state), state);
    },
  };
}

/**
 * Puts the fields of @apollo/gateway's data into the order of the operation, as the specification
 * says. @apollo/gateway merges fragments on one type, and so changes the order; all other
 * strategies keep the order. Data without a projection (see `compileProjection`), or that does not
 * fit the schema, is returned unchanged.
 */
export function sortFields(
  schema: GraphQLSchema,
  operation: ChosenOperation,
  coercedVariables: Readonly<Variables>,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const projected = compileProjection(schema, operation, { ...coercedVariables })?.project(data, Infinity);
  return projected?.kind === 'data' ? (projected.data ?? data) : data;
}
