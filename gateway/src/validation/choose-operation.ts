import { createHash } from 'node:crypto';
import { errors, isPublicError, type PublicError } from '@lectern/errors';
import type { compileVariables, Grow } from '@lectern/execution';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import {
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  TypeInfo,
  ValidationContext,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { CacheableOperation } from '../cache/response-cache';
import type { ExecutableOperation } from '../execution/operation';
import type { OperationSize, QueryLimits } from './measure';
import { type Rejection, rejectedWith } from './rejection';

/** A valid document and its operations: one entry of the operation cache. */
export interface PreparedDocument {
  readonly kind: 'document';
  readonly query: string;
  readonly document: DocumentNode;
  readonly grow: Grow;
  /** The operations that requests have chosen by name so far. */
  readonly operations: Map<OperationDefinitionNode, PreparedOperation | Rejection>;
}

/** An operation with its size. Members that may be null are computed when a request first needs them. */
export interface PreparedOperation extends ExecutableOperation, CacheableOperation {
  readonly kind: 'operation';
  readonly size: OperationSize;
  coerceVariables: ReturnType<typeof compileVariables> | null;
  deprecations: readonly Deprecation[] | null;
}

/**
 * Returns the chosen operation, measured once. Depth and conditions do not depend on variables, so they are checked
 * here.
 */
export function chooseOperation(
  { query, document, grow, operations }: PreparedDocument,
  operationName: string | null,
  limits: QueryLimits,
  measure: (document: DocumentNode, definition: OperationDefinitionNode) => OperationSize,
): PreparedOperation | Rejection {
  const definition = chooseDefinition(document, operationName);
  if (isPublicError(definition)) return rejectedWith(definition);
  const known = operations.get(definition);
  if (known) return known;
  const prepare = (): PreparedOperation | Rejection => {
    const size = measure(document, definition);
    if (size.depth > limits.depth) return rejectedWith(errors.tooDeep(size.depth, limits.depth));
    if (size.conditions > limits.complexity) return rejectedWith(errors.tooComplex(size.conditions, limits.complexity));
    const name = definition.name?.value ?? null;
    return {
      kind: 'operation',
      query,
      document,
      definition,
      name,
      hash: createHash('sha256')
        .update(JSON.stringify([name, query]))
        .digest('hex'),
      size,
      grow,
      coerceVariables: null,
      deprecations: null,
      variables: null,
      compiled: null,
    };
  };
  const operation = prepare();
  operations.set(definition, operation);
  return operation;
}

function chooseDefinition(document: DocumentNode, operationName: string | null): OperationDefinitionNode | PublicError {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation === 'subscription') return errors.operationUnresolved('The API has no subscriptions.');
  if (operation) return operation;
  if (!document.definitions.some((definition) => definition.kind === Kind.OPERATION_DEFINITION))
    return errors.operationUnresolved('The document has no operation, only fragments.');
  return errors.operationUnresolved(
    operationName === null
      ? 'The document has several operations: say which in operationName.'
      : 'The document has no operation of the name that operationName gives.',
  );
}

/** A deprecated field or argument that an operation uses. */
export interface Deprecation {
  /** The schema coordinate, such as `Verse.text` or `Query.search(limit:)`. */
  readonly coordinate: string;
  readonly reason: string;
  /** The date at the start of the deprecation reason, as YYYY-MM-DD. Null if there is none. */
  readonly since: string | null;
}

const none: readonly Deprecation[] = [];

/** Finds the deprecated fields and arguments of a valid operation, each once, those of fragments last. */
export function createFindDeprecations(schema: GraphQLSchema) {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const isAnyDeprecated = fields.some((field) =>
    [field, ...field.args].some(({ deprecationReason }) => typeof deprecationReason === 'string'),
  );
  if (!isAnyDeprecated) return () => none;
  return (document: DocumentNode, definition: OperationDefinitionNode): readonly Deprecation[] => {
    const found = new Map<string, Deprecation>();
    const add = (coordinate: string, reason: string | null | undefined): void => {
      if (typeof reason === 'string') found.set(coordinate, { coordinate, reason, since: dateIn(reason) });
    };
    const types = new TypeInfo(schema);
    const findInFields = visitWithTypeInfo(types, {
      Field(node) {
        const field = types.getFieldDef();
        if (!field) return;
        const coordinate = `${types.getParentType()?.name ?? ''}.${field.name}`;
        add(coordinate, field.deprecationReason);
        for (const { name } of node.arguments ?? []) {
          const argument = field.args.find((each) => each.name === name.value);
          add(`${coordinate}(${name.value}:)`, argument?.deprecationReason);
        }
      },
    });
    const context = new ValidationContext(schema, document, types, () => {});
    for (const part of [definition, ...context.getRecursivelyReferencedFragments(definition)])
      visit(part, findInFields);
    return [...found.values()];
  };
}

/** Returns the date in a reason such as `Since 2026-12-01: use Verse.text.`, or null if there is no valid date. */
function dateIn(reason: string): string | null {
  const [, date = ''] = /^Since (\d{4}-\d\d-\d\d)\b/.exec(reason) ?? [];
  return Number.isNaN(Date.parse(date)) ? null : date;
}
