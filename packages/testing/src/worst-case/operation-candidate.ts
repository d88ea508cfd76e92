/** A text: `words` joined by `separator`, repeated up to `length` in UTF-16 units. */
export interface TextChoice {
  kind: 'text';
  words: readonly string[];
  separator: string;
  length: number;
}

/**
 * The values of an argument in the copies of a field. The copies have different values if
 * `differsPerCopy` is set.
 */
export type ValueChoice =
  | TextChoice
  /** A list of constants. */
  | { kind: 'constants'; values: readonly unknown[] }
  /** Representations of entities for the field `_entities` of a subgraph. */
  | { kind: 'representations'; representations: readonly unknown[]; count: number };

export interface ArgumentChoice {
  name: string;
  value: ValueChoice;
  asVariable: boolean;
  differsPerCopy: boolean;
}

/** How the selection set of a field is written. */
export type SelectionForm = 'plain' | 'fragment' | 'nested fragments' | 'inline fragment' | 'conditions';
export const selectionForms: readonly SelectionForm[] = [
  'plain',
  'plain',
  'fragment',
  'nested fragments',
  'inline fragment',
  'conditions',
];

export interface FieldChoice {
  name: string;
  /** The object type that has the field. */
  type: string;
  /** How often the field is selected, each time with another alias. */
  copies: number;
  arguments: ArgumentChoice[];
  fields: FieldChoice[];
  form: SelectionForm;
}

/** Parts that a document has beside its selected fields. Most make the document invalid. */
export type ExtraPartKind =
  | 'unused fragments'
  | 'a chain of fragments'
  | 'a chain of fragments in a verse'
  | 'operations that spread a chain of fragments'
  | 'three chains of fragments'
  | 'chained fragments of two fields'
  | 'invalid variables after empty lines'
  | 'unknown fields after empty lines'
  | 'other operations'
  | 'unknown fields'
  | 'conflicting fields'
  | 'conflicting fragments'
  | 'unused variables'
  | 'unknown types of variables'
  | 'repeated directives'
  | 'nested lists'
  | 'nested objects in a variable'
  | 'comments';
export const extraKinds: readonly ExtraPartKind[] = [
  'unused fragments',
  'a chain of fragments',
  'a chain of fragments in a verse',
  'operations that spread a chain of fragments',
  'three chains of fragments',
  'chained fragments of two fields',
  'invalid variables after empty lines',
  'unknown fields after empty lines',
  'other operations',
  'unknown fields',
  'conflicting fields',
  'conflicting fragments',
  'unused variables',
  'unknown types of variables',
  'repeated directives',
  'nested lists',
  'nested objects in a variable',
  'comments',
];

export interface ExtraPart {
  kind: ExtraPartKind;
  count: number;
}

/**
 * Describes an operation. The search for slow operations changes the description and prints the
 * operation from it.
 */
export interface Candidate {
  fields: FieldChoice[];
  extras: ExtraPart[];
}

/** Lists all fields of a candidate, each before the fields of its selection. */
export function allFields({ fields }: Pick<Candidate, 'fields'>): FieldChoice[] {
  return fields.flatMap((field) => [field, ...allFields(field)]);
}

/** Lists all texts of a candidate's arguments. */
export const allTexts = (candidate: Candidate) =>
  allFields(candidate).flatMap((field) =>
    field.arguments.flatMap(({ name, value }) => (value.kind === 'text' ? [{ name, value }] : [])),
  );
