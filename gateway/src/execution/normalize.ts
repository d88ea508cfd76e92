import { fragmentsByName, setProperty } from '@lectern/execution';
import type {
  ArgumentNode,
  DirectiveNode,
  DocumentNode,
  FieldNode,
  GraphQLCompositeType,
  GraphQLNamedType,
  GraphQLSchema,
  NameNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import {
  doTypesOverlap,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isUnionType,
  Kind,
  parse,
  print,
  visit,
} from 'graphql';
import { readArguments } from '../supergraph/directives';
import type { ChosenOperation, Variables } from './operation';

/** An operation in the form that is planned, for one combination of values of @skip and @include. */
export interface NormalizedOperation extends ChosenOperation {
  readonly conditions: Readonly<Variables>;
  /** What the planner gets. Null if the operation has no field that a subgraph resolves. */
  readonly planned: OperationDefinitionNode | null;
  /** Returns the response key of a field in the planned operation. `path` has the response keys of the client. */
  keyOf(field: FieldNode, path: string): string;
  /** The response keys of the client, by the new keys that replace them. */
  readonly clientKeys: ReadonlyMap<string, string>;
  /**
   * Whether one subgraph's response to this operation is also the client's: no name has changed, and no value can be of
   * a type or enum value that clients must not see.
   */
  readonly isUnchanged: boolean;
  /** Returns variables with the names that the planned operation has. */
  renameVariables(variables: Readonly<Variables> | null): Readonly<Variables>;
}

export const pathOf = (path: string, field: FieldNode): string => `${path} ${responseKey(field)}`;

/** Fields with the same response key, and fragments on the same type, whose selections are merged. */
interface Merged {
  readonly fields: Map<string, { readonly node: FieldNode; readonly sets: SelectionSetNode[] }>;
  readonly fragments: Map<string, SelectionSetNode[]>;
}

const nameNode = (value: string): NameNode => ({ kind: Kind.NAME, value });
const responseKey = (field: FieldNode): string => (field.alias ?? field.name).value;
export const typenameField: FieldNode = { kind: Kind.FIELD, name: nameNode('__typename') };

/**
 * Creates the function that rewrites an operation before it is planned. The planner would give silently wrong answers
 * for the original form of some operations.
 * - @skip and @include are decided, and fragments that match every value of their parent's type are opened.
 * - A response key that a subgraph's key or `@requires` may need, or that has two meanings at one place, is replaced
 *   by a unique key.
 * - The variables that plans use for themselves are renamed.
 * - `__typename` of the root type is left out, because the gateway knows it.
 */
export function createNormalize(schema: GraphQLSchema, supergraph: DocumentNode) {
  const requiredFields = readRequiredFields(supergraph);
  const wideTypes = readWideTypes(schema, supergraph);
  const isReserved = (key: string): boolean => key.startsWith('_') || requiredFields.has(key);

  return ({ document, definition }: ChosenOperation, conditions: Readonly<Variables>): NormalizedOperation => {
    const fragments = fragmentsByName(document);
    const keys = createKeys(document, isReserved);
    const variables = createVariables(definition, keys.unique);
    let isUnchanged = variables.areUnchanged;

    const merge = (type: GraphQLCompositeType, set: SelectionSetNode, path: string, into: Merged): void => {
      for (const selection of set.selections) {
        if (!isIncluded(selection.directives, conditions)) continue;
        if (selection.kind === Kind.FIELD) {
          // The completion reads the type of a value of an interface or union from the key `__typename`.
          const isTypeOfValue = selection.name.value === '__typename' && isAbstractType(type);
          const key = isTypeOfValue ? '__typename' : keys.of(selection, path);
          if (key !== responseKey(selection)) isUnchanged = false;
          const known = into.fields.get(key) ?? { node: selection, sets: [] };
          into.fields.set(key, known);
          if (selection.selectionSet) known.sets.push(selection.selectionSet);
          continue;
        }
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
        const condition = fragment?.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type;
        if (!fragment || !condition) continue;
        if (isSupertype(schema, condition, type)) merge(type, fragment.selectionSet, path, into);
        else if (isCompositeType(condition) && doTypesOverlap(schema, condition, type))
          into.fragments.set(condition.name, [...(into.fragments.get(condition.name) ?? []), fragment.selectionSet]);
      }
    };
    const build = (type: GraphQLCompositeType, sets: readonly SelectionSetNode[], path: string): SelectionNode[] => {
      const merged: Merged = { fields: new Map(), fragments: new Map() };
      for (const set of sets) merge(type, set, path, merged);
      const selections: SelectionNode[] = wideTypes.has(type.name) ? [typenameField] : [];
      for (const [key, { node, sets: inner }] of merged.fields) {
        const name = node.name.value;
        const fieldType = isUnionType(type) ? undefined : getNamedType(type.getFields()[name]?.type);
        if (isAbstractType(fieldType) || wideTypes.has(fieldType?.name ?? '')) isUnchanged = false;
        const selected = isCompositeType(fieldType) ? build(fieldType, inner, pathOf(path, node)) : null;
        if (selected?.length === 0) {
          // The planner does not accept an empty selection.
          selected.push(typenameField);
          isUnchanged = false;
        }
        selections.push({
          kind: Kind.FIELD,
          name: node.name,
          ...(key !== name && { alias: nameNode(key) }),
          ...(node.arguments?.length && { arguments: variables.renameIn(node.arguments) }),
          ...(selected && { selectionSet: { kind: Kind.SELECTION_SET, selections: selected } }),
        });
      }
      for (const [name, inner] of merged.fragments) {
        const condition = schema.getType(name);
        const selected = isCompositeType(condition) ? build(condition, inner, path) : [];
        if (selected.length === 0) continue;
        selections.push({
          kind: Kind.INLINE_FRAGMENT,
          typeCondition: { kind: Kind.NAMED_TYPE, name: nameNode(name) },
          selectionSet: { kind: Kind.SELECTION_SET, selections: selected },
        });
      }
      return selections;
    };

    const root = schema.getRootType(definition.operation);
    if (!root) throw new Error(`the schema has no type for a ${definition.operation}`);
    const selections = build(root, [definition.selectionSet], '');
    const fetched = selections.filter((each) => each.kind !== Kind.FIELD || each.name.value !== '__typename');
    const planned: OperationDefinitionNode = {
      kind: Kind.OPERATION_DEFINITION,
      operation: definition.operation,
      variableDefinitions: variables.definitions,
      selectionSet: { kind: Kind.SELECTION_SET, selections: fetched },
    };
    return {
      document,
      definition,
      conditions,
      planned: fetched.length === 0 ? null : planned,
      keyOf: keys.of,
      clientKeys: keys.renamed,
      isUnchanged: isUnchanged && fetched.length === selections.length,
      renameVariables: variables.rename,
    };
  };
}

/** Returns whether every value of `type` is also one of `other`. */
const isSupertype = (schema: GraphQLSchema, other: GraphQLNamedType, type: GraphQLCompositeType): boolean =>
  other === type || (isAbstractType(other) && !isUnionType(type) && schema.isSubType(other, type));

/** Returns whether a selection's @skip and @include let it be executed. */
const isIncluded = (directives: readonly DirectiveNode[] = [], conditions: Readonly<Variables>): boolean =>
  directives.every(({ name, arguments: [condition] = [] }) => {
    if (!condition || (name.value !== 'skip' && name.value !== 'include')) return true;
    const { value } = condition;
    const isTrue =
      value.kind === Kind.VARIABLE ? conditions[value.name.value] === true : value.kind === Kind.BOOLEAN && value.value;
    return isTrue === (name.value === 'include');
  });

function createKeys(document: DocumentNode, isReserved: (key: string) => boolean) {
  const renamed = new Map<string, string>();
  const newKeys = new Map<string, string>();
  const meanings = new Map<string, string>();
  let used: Set<string> | null = null;
  const unique = (name: string): string => {
    used ??= readNames(document);
    // A name that begins with `_` is reserved, and no name begins with a digit.
    let result = `${name.replace(/^[_\d]+/, '') || 'field'}_`;
    while (used.has(result) || isReserved(result)) result += '_';
    used.add(result);
    return result;
  };

  return {
    renamed,
    unique,
    of(field: FieldNode, path: string): string {
      const key = responseKey(field);
      const name = field.name.value;
      const meaning = field.arguments?.length ? `${name}(${field.arguments.map(print).join()})` : name;
      const place = pathOf(path, field);
      const first = meanings.get(place);
      if (first === undefined) meanings.set(place, meaning);
      if ((first === undefined || first === meaning) && (meaning === key || !isReserved(key))) return key;
      const id = `${place} ${meaning}`;
      const known = newKeys.get(id);
      if (known !== undefined) return known;
      const newKey = unique(key);
      newKeys.set(id, newKey);
      renamed.set(newKey, key);
      return newKey;
    },
  };
}

function readNames(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(document, { Name: ({ value }) => void names.add(value) });
  return names;
}

/** Creates the functions that rename the variables with names that plans use for themselves. */
function createVariables({ variableDefinitions = [] }: OperationDefinitionNode, unique: (name: string) => string) {
  const newNames = new Map<string, string>();
  for (const { variable } of variableDefinitions) {
    const name = variable.name.value;
    if (name === 'representations' || name.startsWith('_')) newNames.set(name, unique(name));
  }
  const renameIn = <Node extends ArgumentNode | (typeof variableDefinitions)[number]>(
    nodes: readonly Node[],
  ): readonly Node[] =>
    newNames.size === 0
      ? nodes
      : nodes.map((node) =>
          visit(node, {
            Variable: (variable) => {
              const newName = newNames.get(variable.name.value);
              return newName === undefined ? undefined : { ...variable, name: nameNode(newName) };
            },
          }),
        );
  return {
    areUnchanged: newNames.size === 0,
    definitions: renameIn(variableDefinitions),
    renameIn,
    rename(variables: Readonly<Variables> | null): Readonly<Variables> {
      if (!variables || newNames.size === 0) return variables ?? {};
      const result: Variables = {};
      for (const { variable } of variableDefinitions) {
        const name = variable.name.value;
        if (Object.hasOwn(variables, name)) setProperty(result, newNames.get(name) ?? name, variables[name]);
      }
      return result;
    },
  };
}

/** Returns the names of all fields that a key, `@requires` or `@provides` of a subgraph selects. */
function readRequiredFields(supergraph: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(supergraph, {
    Directive(node) {
      if (!node.name.value.startsWith('join__')) return;
      const { key, requires, provides } = readArguments(node);
      for (const fields of [key, requires, provides])
        if (typeof fields === 'string')
          visit(parse(`{ ${fields} }`, { noLocation: true }), { Field: ({ name }) => void names.add(name.value) });
    },
  });
  return names;
}

/**
 * Returns the names of the enums, interfaces and unions of which subgraphs may send values that clients must not see.
 */
function readWideTypes(schema: GraphQLSchema, supergraph: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  for (const definition of supergraph.definitions) {
    if (!('name' in definition) || !definition.name) continue;
    const type = schema.getType(definition.name.value);
    if (definition.kind === Kind.ENUM_TYPE_DEFINITION && isEnumType(type)) {
      if (type.getValues().length !== definition.values?.length) names.add(type.name);
    } else if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
      if (definition.types?.some(({ name }) => !schema.getType(name.value))) names.add(definition.name.value);
    } else if (definition.kind === Kind.OBJECT_TYPE_DEFINITION && !type)
      for (const { name } of definition.interfaces ?? []) names.add(name.value);
  }
  return names;
}
