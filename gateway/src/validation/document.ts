import { errors, type PublicError } from '@lectern/errors';
import { fragmentsByName, type Grow } from '@lectern/execution';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLFormattedError,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import {
  GraphQLError,
  Kind,
  Lexer,
  OverlappingFieldsCanBeMergedRule,
  parse,
  Source,
  specifiedRules,
  TokenKind,
  validate,
} from 'graphql';
import { parseForErrors } from '../shared/error-locations';
import type { PreparedDocument } from './choose-operation';
import type { QueryLimits } from './measure';
import { formatPublicError, type Rejection, rejected, rejectedWith } from './rejection';

/** The maximum depth of nested brackets. The parser and the planner recurse at each bracket. */
export const maxNesting = 200;
/** The maximum length of a name, in UTF-16 units. A response repeats the name of a field in each item of a list. */
const maxNameCharacters = 100;
/**
 * graphql-js compares each pair of fragments in a selection set, and visits a chain again from each link. 200 fragments
 * in one set take 15 to 30 ms, and a chain of 590 took 60 to 90 ms.
 */
const maxSpreadFragments = 200;
const maxValidationErrors = 100;
const rulesWithoutComparisons = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/**
 * Checks the size of a document, parses and validates it, the fastest checks first. Depth and cost follow later, so a
 * client sees the errors of the document first.
 */
export function prepareDocument(
  schema: GraphQLSchema,
  limits: QueryLimits,
  query: string,
  grow: Grow,
): PreparedDocument | Rejection {
  const { tokens, nesting, longestName, spreadFragments } = countTokens(query, limits.tokens);
  if (tokens > limits.tokens) return rejectedWith(errors.tooManyTokens(limits.tokens));
  if (longestName > maxNameCharacters) return rejectedWith(errors.tooLongName(maxNameCharacters));
  if (spreadFragments > maxSpreadFragments) return rejectedWith(errors.tooManyFragments(maxSpreadFragments));
  if (nesting > maxNesting) return rejectedWith(errors.tooDeep(nesting, limits.depth));
  try {
    const validationErrors = validateDocument(schema, query);
    if (validationErrors.length > 0) return rejected(validationErrors);
    // Only errors need locations, whose tokens would take most of the memory of a cached document.
    const document = parse(query, { noLocation: true });
    return { kind: 'document', query, document, grow, operations: new Map() };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return rejected([{ ...error.toJSON(), extensions: { code: errors.parseFailed.code } }]);
  }
}

/** If comparing its fields would block the event loop too long, rejects a document without comparing them. */
function validateDocument(schema: GraphQLSchema, query: string): readonly GraphQLFormattedError[] {
  const { document, formatError } = parseForErrors(query);
  const tooExpensive = checkComparisons(document);
  const rules = tooExpensive ? rulesWithoutComparisons : specifiedRules;
  // After the maximum, graphql-js appends an error that says that validation stopped. The slice removes this error.
  const found = validate(schema, document, rules, { maxErrors: maxValidationErrors }).slice(0, maxValidationErrors);
  if (found.length === 0 && tooExpensive) return [formatPublicError(tooExpensive)];
  return found.map((error) => formatError(error, errors.validationFailed.code));
}

const openingBrackets: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closingBrackets: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Measures a document before it is parsed, in tokens of graphql-js. Stops after `max` + 1 tokens, and at a syntax
 * error, which the parser reports.
 */
function countTokens(text: string, max: number) {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let openBrackets = 0;
  let nesting = 0;
  let longestName = 0;
  let isAfterSpread = false;
  const spreadFragments = new Set<string>();
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF && tokens <= max; token = lexer.advance()) {
      const { kind, start, end, value } = token;
      tokens += 1;
      if (kind === TokenKind.NAME) longestName = Math.max(longestName, end - start);
      // `... on Verse` is an inline fragment, so `on` is not the name of a fragment.
      if (isAfterSpread && kind === TokenKind.NAME && value !== 'on') spreadFragments.add(value);
      isAfterSpread = kind === TokenKind.SPREAD;
      if (openingBrackets.has(kind)) nesting = Math.max(nesting, (openBrackets += 1));
      else if (closingBrackets.has(kind)) openBrackets -= 1;
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
  return { tokens, nesting, longestName, spreadFragments: spreadFragments.size };
}

/**
 * Comparisons of fields with one response name, or of fragments in them. A selection set may repeat a leaf field about
 * 220 times, or a field with one field about 158 times.
 */
const maxComparisons = 25_000;
/**
 * The maximum number of selections with fragments expanded in each selection set. A document of 5,000 tokens has more
 * only with a chain of fragments, or a large one that is spread often.
 */
const maxExpandedSelections = 20_000;

/**
 * Returns an error if validation would block the event loop too long: graphql-js compares each pair of fields that
 * share a response name, also in fragments. The document need not be valid. The worst that passes takes 15 to 30 ms.
 */
function checkComparisons(document: DocumentNode): PublicError | null {
  const fragments = fragmentsByName(document);
  const hasFragments = Object.keys(fragments).length > 0;
  // A response merges fields with the same name, so an entry has all their selection sets.
  const pending: SelectionSetNode[][] = document.definitions.flatMap((definition) =>
    'selectionSet' in definition && definition.selectionSet ? [[definition.selectionSet]] : [],
  );
  const visited = new Set<SelectionSetNode>();
  let comparisons = 0;
  let expandedSelections = 0;
  for (let sets = pending.pop(); sets; sets = pending.pop()) {
    const [only, ...others] = sets;
    if (only && others.length === 0) {
      if (visited.has(only)) continue;
      visited.add(only);
      // For a selection set with only a fragment spread, graphql-js compares nothing.
      if (only.selections.length === 1 && only.selections[0]?.kind === Kind.FRAGMENT_SPREAD) continue;
    }
    const { fields, selections, ownSpreads } = groupByResponseName(sets, fragments);
    expandedSelections += selections;
    // graphql-js compares each pair of fragments that two merged fields spread.
    if (sets.length > 1) comparisons += pairs(ownSpreads);
    for (const group of fields.values()) {
      comparisons += pairs(group.length);
      const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) pending.push(inner);
    }
    if (comparisons > maxComparisons) return errors.tooManyRepeatedFields();
    if (hasFragments && expandedSelections > maxExpandedSelections) return errors.tooManyExpandedSelections();
  }
  return null;
}

const pairs = (count: number): number => (count * (count - 1)) / 2;

/** Groups fields, with fragments expanded, by response name. `ownSpreads` counts the spreads outside of fragments. */
function groupByResponseName(
  sets: readonly SelectionSetNode[],
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
) {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const pending = [...sets];
  const ownSets = new Set(sets);
  let ownSpreads = 0;
  let selections = 0;
  for (let set = pending.pop(); set; set = pending.pop()) {
    selections += set.selections.length;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const responseName = (selection.alias ?? selection.name).value;
        const group = fields.get(responseName);
        if (group) group.push(selection);
        else fields.set(responseName, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        pending.push(selection.selectionSet);
        if (ownSets.has(set)) ownSets.add(selection.selectionSet);
      } else {
        if (ownSets.has(set)) ownSpreads += 1;
        const name = selection.name.value;
        const fragment = spread.has(name) ? undefined : fragments[name];
        spread.add(name);
        if (fragment) pending.push(fragment.selectionSet);
      }
    }
  }
  return { fields, selections, ownSpreads };
}
