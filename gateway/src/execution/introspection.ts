import { collectFields, compileOperation, fragmentsByName } from '@lectern/execution';
import type { WorkScheduler } from '@lectern/serving';
import type { DocumentNode, FragmentDefinitionNode, GraphQLSchema, SelectionNode, SelectionSetNode } from 'graphql';
import { GraphQLError, Kind } from 'graphql';
import type { RawResponse } from './operation';
import { type ChosenOperation, type ExecutableOperation, type ExecutableRequest, separateOperation } from './operation';

/** An operation with introspection fields, which the gateway executes apart from the other fields. */
export interface SeparatedOperation {
  readonly introspection: DocumentNode;
  /** The operation without introspection fields. Null if no other fields remain. */
  readonly data: ExecutableOperation | null;
}

/**
 * Separates introspection fields from other fields, or returns null without such. The gateway executes them itself,
 * because @apollo/gateway rejects newer ones such as `isOneOf`.
 */
export function separateIntrospection(operation: ExecutableOperation): SeparatedOperation | null {
  if (operation.definition.operation !== 'query') return null;
  const introspection = withRootFields(operation, (name) => name === '__schema' || name === '__type');
  if (!introspection) return null;
  const data = withRootFields(operation, (name) => name !== '__schema' && name !== '__type');
  return {
    introspection: introspection.document,
    data: data && { ...operation, ...data, hash: `${operation.hash} without introspection`, compiled: null },
  };
}

/** Introspection of a valid operation fails only for an invalid variable, so its errors need no limit. */
const errorLimit = { max: Infinity, error: () => new GraphQLError('Too many errors') };

/** Pauses for other requests: the limits allow results of 100,000 values. */
export async function executeIntrospection(
  schema: GraphQLSchema,
  scheduler: WorkScheduler,
  { operation, variables, coercedVariables }: ExecutableRequest,
  introspection: DocumentNode,
  response: RawResponse,
): Promise<RawResponse> {
  const work = scheduler.createUnlimitedBudget();
  const introspect = compileOperation(schema, introspection, undefined, { grow() {}, errorLimit, paceOf: () => work });
  const introspected = await introspect(variables ?? {}, () => undefined);
  const errors = [...(response.errors ?? []), ...(introspected.errors ?? [])];
  const data = response.data && { ...response.data, ...introspected.data };
  // The GraphQL specification requires the fields of the response in the order of the operation.
  const root = schema.getQueryType();
  const { selectionSet } = operation.definition;
  const fields =
    root && collectFields(schema, fragmentsByName(operation.document), { ...coercedVariables }, root, selectionSet);
  return {
    ...response,
    data: data && Object.fromEntries([...(fields?.keys() ?? [])].map((key) => [key, data[key]])),
    errors: errors.length > 0 ? errors : undefined,
  };
}

function withRootFields(operation: ChosenOperation, accepts: (name: string) => boolean): ChosenOperation | null {
  const selectionSet = filterFields(operation.definition.selectionSet, fragmentsByName(operation.document), accepts);
  return selectionSet && separateOperation(operation, { ...operation.definition, selectionSet });
}

/** Returns the selections with only these fields, with fragments in place. Validation has limited their number. */
function filterFields(
  { selections }: SelectionSetNode,
  fragments: Record<string, FragmentDefinitionNode>,
  accepts: (name: string) => boolean,
): SelectionSetNode | null {
  const filtered = selections.flatMap((selection): SelectionNode[] => {
    if (selection.kind === Kind.FIELD) return accepts(selection.name.value) ? [selection] : [];
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    const selectionSet = fragment && filterFields(fragment.selectionSet, fragments, accepts);
    return selectionSet ? [{ kind: Kind.INLINE_FRAGMENT, directives: selection.directives ?? [], selectionSet }] : [];
  });
  return filtered.length > 0 ? { kind: Kind.SELECTION_SET, selections: filtered } : null;
}
