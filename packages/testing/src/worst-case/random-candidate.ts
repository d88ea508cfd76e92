import type { GraphQLArgument, GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import {
  getNamedType,
  isCompositeType,
  isNonNullType,
  isObjectType,
  isUnionType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import type { RandomChoices } from '../random-choices';
import type { Cursors } from './argument-values';
import { acceptsText, commonKinds, randomText, randomValidValue } from './argument-values';
import type { ArgumentChoice, Candidate, ExtraPart, FieldChoice, ValueChoice } from './operation-candidate';
import { extraKinds, selectionForms } from './operation-candidate';
import { fieldDefinition } from './print-operation';

const maxLevels = 6;
export const copyCounts = [1, 1, 2, 5, 10, 30, 100, 300, 1_000];
const rootCopyCounts = [1, 30, 1_000, 1_000, 1_000];
/** The share of optional arguments that a new field has. */
const optionalShare = 0.25;
const extraCounts = [1, 10, 90, 190, 500, 2_000];

/** A root field with which a candidate starts. */
export interface Start {
  type: string;
  name: string;
  /**
   * The argument that gets any text, and the kind of this text, such as `digits`. Other arguments
   * are valid.
   */
  text?: { argument: string; kind: string };
}

export interface CandidateParts {
  schema: GraphQLSchema;
  choices: RandomChoices;
  /** Page cursors of earlier responses. */
  cursors: Cursors;
  /** The root fields that candidates select, such as `Query.search`. All by default. */
  rootFields?: readonly string[];
}

/**
 * Creates the functions that make random candidates (descriptions of operations) and parts of them.
 */
export function createRandomCandidates({ schema, choices, cursors, rootFields }: CandidateParts) {
  const { pick, pickSeveral, chance } = choices;
  const starts = shuffle(
    listStarts(schema).filter(({ type, name }) => rootFields?.includes(`${type}.${name}`) ?? true),
    choices,
  );

  const argumentWith = (name: string, value: ValueChoice): ArgumentChoice => ({
    name,
    value,
    asVariable: chance(0.5),
    differsPerCopy: chance(0.5),
  });
  const validArgument = (definition: GraphQLArgument): ArgumentChoice =>
    argumentWith(definition.name, randomValidValue(definition, choices, cursors));
  const textArgument = ({ name }: GraphQLArgument, kind?: string): ArgumentChoice =>
    argumentWith(name, randomText(name, choices, kind));

  /**
   * Chooses the arguments of a field. One argument may get any text. The other arguments are valid,
   * so that no error ends the request early.
   */
  const randomArguments = ({ args }: GraphQLField<unknown, unknown>, text: Start['text']): ArgumentChoice[] =>
    args.flatMap((definition) => {
      if (definition.name === text?.argument) return [textArgument(definition, text.kind)];
      return isNonNullType(definition.type) || chance(optionalShare) ? [validArgument(definition)] : [];
    });

  const randomField = (type: string, name: string, level: number, text?: Start['text']): FieldChoice => {
    const definition = fieldDefinition(schema, type, name);
    if (!definition) throw new Error(`${type} has no field ${name}`);
    return {
      name,
      type,
      copies: level === 1 ? pick(rootCopyCounts) : chance(0.8) ? 1 : pick(copyCounts),
      arguments: randomArguments(definition, text),
      fields: randomSelection(getNamedType(definition.type).name, level + 1),
      form: pick(selectionForms),
    };
  };

  /** Chooses fields of a composite type. Returns [] for a leaf type. */
  const randomSelection = (type: string, level: number): FieldChoice[] => {
    const names = selectableFields(schema, type, level >= maxLevels);
    if (names.length === 0) return [];
    // Half of the root fields select one field only: the smaller a selection, the more copies of
    // the root field fit the cost limit.
    if (level === 2 && chance(0.5)) return [randomField(...pick(names), maxLevels)];
    return [...new Set(pickSeveral(names, 4))].map(([owner, name]) => randomField(owner, name, level));
  };

  const randomRoot = ({ type, name, text }: Start): FieldChoice => randomField(type, name, 1, text);

  const randomExtra = (): ExtraPart => ({ kind: pick(extraKinds), count: pick(extraCounts) });

  const randomCandidate = (start: Start = pick(starts)): Candidate => ({
    fields: [randomRoot(start)],
    extras: chance(0.1) ? [randomExtra(), ...(chance(0.3) ? [randomExtra()] : [])] : [],
  });

  return {
    /** The root fields with which candidates start, in random order. */
    starts,
    randomCandidate,
    randomRoot,
    randomSelection,
    randomExtra,
    randomArgument: (definition: GraphQLArgument): ArgumentChoice =>
      acceptsText(definition) && chance(0.5) ? textArgument(definition) : validArgument(definition),
  };
}
export type RandomCandidates = ReturnType<typeof createRandomCandidates>;

/**
 * Lists the fields that a selection of the type may contain, each with the object type that has the
 * field. For a union, lists the fields of all member types.
 */
function selectableFields(
  schema: GraphQLSchema,
  typeName: string,
  leavesOnly: boolean,
): [type: string, field: string][] {
  const type = schema.getType(typeName);
  if (isUnionType(type)) return type.getTypes().flatMap(({ name }) => selectableFields(schema, name, leavesOnly));
  if (!isObjectType(type)) return [];
  const fields = Object.values(type.getFields());
  const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
  return (leavesOnly && leaves.length > 0 ? leaves : fields).map(({ name }) => [typeName, name]);
}

/**
 * Lists each root field without a text, and with each kind of text in each of its text arguments.
 */
function listStarts(schema: GraphQLSchema): Start[] {
  const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
    type ? Object.values(type.getFields()).map((field) => ({ type: type.name, field })) : [];
  const query = schema.getQueryType();
  return [
    ...fieldsOf(query),
    ...[SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => ({ type: query?.name ?? '', field })),
  ].flatMap(({ type, field: { name, args } }) => [
    { type, name },
    ...args
      .filter(acceptsText)
      .flatMap((argument) => commonKinds.map((kind) => ({ type, name, text: { argument: argument.name, kind } }))),
  ]);
}

const shuffle = <T>(list: readonly T[], { random }: RandomChoices): T[] =>
  list
    .map((value) => ({ value, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value);
