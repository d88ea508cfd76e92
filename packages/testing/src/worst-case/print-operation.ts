import type { GraphQLArgument, GraphQLSchema } from 'graphql';
import { getNamedType, isEnumType, isObjectType, isUnionType, SchemaMetaFieldDef, TypeMetaFieldDef } from 'graphql';
import { valueOfCopy } from './argument-values';
import type { ArgumentChoice, Candidate, FieldChoice, SelectionForm } from './operation-candidate';
import { printExtraPart } from './print-extra-document-parts';

export interface PrintedOperation {
  /** The document. Its operation is named `W`. */
  query: string;
  variables: Record<string, unknown>;
}

const times = (count: number, print: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => print(index)).join(' ');

/** Returns the definition of a field, also of `__schema` and `__type`. */
export function fieldDefinition(schema: GraphQLSchema, type: string, name: string) {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  const parent = schema.getType(type);
  return isObjectType(parent) ? parent.getFields()[name] : undefined;
}

/** Prints the operation that a candidate describes. Equal candidates give equal operations. */
export function printOperation(schema: GraphQLSchema, candidate: Candidate): PrintedOperation {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fragments: string[] = [];
  let names = 0;
  const newName = (prefix: string): string => `${prefix}${(names += 1)}`;

  const printValue = (definition: GraphQLArgument, value: unknown): string =>
    isEnumType(getNamedType(definition.type)) ? String(value) : JSON.stringify(value ?? null);

  const declare = (prefix: string, type: string, value: unknown): string => {
    const name = newName(prefix);
    declared.push(`$${name}: ${type}`);
    variables[name] = value;
    return `$${name}`;
  };

  /** Returns a function that prints the argument for each copy of its field. */
  const printArgument = (definition: GraphQLArgument, choice: ArgumentChoice): ((copy: number) => string) => {
    const { name, value, asVariable, differsPerCopy } = choice;
    const print = (copy: number): string =>
      asVariable || value.kind === 'representations'
        ? `${name}: ${declare('v', String(definition.type), valueOfCopy(value, copy))}`
        : `${name}: ${printValue(definition, valueOfCopy(value, copy))}`;
    if (differsPerCopy) return print;
    let shared: string | null = null;
    return () => (shared ??= print(0));
  };

  const printField = (field: FieldChoice, aliasPrefix: string | null): string => {
    const definition = fieldDefinition(schema, field.type, field.name);
    const args = field.arguments.flatMap((choice) => {
      const found = definition?.args.find(({ name }) => name === choice.name);
      return found ? [printArgument(found, choice)] : [];
    });
    const isUnion = definition !== undefined && isUnionType(getNamedType(definition.type));
    const inner = field.fields.length > 0 ? ` { ${printSelection(field, isUnion)} }` : '';
    return times(field.copies, (copy) => {
      const alias = copy === 0 && aliasPrefix === null ? '' : `${aliasPrefix ?? 'a'}${field.name}${copy}: `;
      const list = args.map((print) => print(copy)).join(', ');
      return `${alias}${field.name}${list === '' ? '' : `(${list})`}${inner}`;
    });
  };

  /** Prints fields of one type. A second field of the same name has other aliases. */
  const printFields = (fields: readonly FieldChoice[]): string =>
    fields
      .map((field, index) => {
        const isFirst = fields.findIndex(({ name }) => name === field.name) === index;
        return printField(field, isFirst ? null : `b${index}`);
      })
      .join(' ');

  const fragmentOf = (type: string, text: string): string => {
    const name = newName('F');
    fragments.push(`fragment ${name} on ${type} { ${text} }`);
    return `...${name}`;
  };

  const printForm = (form: SelectionForm, type: string, text: string): string => {
    switch (form) {
      case 'plain':
        return text;
      case 'inline fragment':
        return `... on ${type} { ${text} }`;
      case 'fragment':
        return fragmentOf(type, text);
      case 'nested fragments': {
        const spread = fragmentOf(type, `${fragmentOf(type, text)} __typename`);
        return `${spread} ${fragmentOf(type, `${spread} ${spread}`)}`;
      }
      case 'conditions':
        return `... on ${type} @include(if: ${declare('c', 'Boolean!', true)}) { ${text} } ... on ${type} @skip(if: ${declare('c', 'Boolean!', false)}) { ${text} }`;
    }
  };

  const printSelection = ({ fields, form }: Pick<FieldChoice, 'fields' | 'form'>, isUnion: boolean): string =>
    [...new Set(fields.map(({ type }) => type))]
      .map((type) => {
        const text = printFields(fields.filter((field) => field.type === type));
        return printForm(isUnion && form === 'plain' ? 'inline fragment' : form, type, text);
      })
      .join(' ');

  const body = printFields(candidate.fields);
  const extras = candidate.extras.map((extra) => printExtraPart(extra, declare));
  const declarations = declared.length > 0 ? `(${declared.join(', ')})` : '';
  return {
    query: [
      `query W${declarations} { ${[body, ...extras.map(({ inside }) => inside)].join(' ')} }`,
      ...fragments,
      ...extras.map(({ outside }) => outside),
    ]
      .join(' ')
      .trim(),
    variables,
  };
}
