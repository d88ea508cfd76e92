import { errors } from '@lectern/errors';
import type { Grow } from '@lectern/execution';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import {
  GraphQLError,
  Lexer,
  OverlappingFieldsCanBeMergedRule,
  parse,
  Source,
  specifiedRules,
  TokenKind,
  validate,
} from 'graphql';
import type { PreparedDocument } from './choose-operation';
import { checkComparisons } from './comparisons';
import type { QueryLimits } from './measure';
import { formatPublicError, parseForErrors, type Rejection, rejected, rejectedWith } from './rejection';

/** The maximum depth of nested brackets. The parser and the query planner recurse at each bracket. */
export const maxNesting = 200;
/** The maximum length of a name, in UTF-16 units. A response repeats the name of a field in each item of a list. */
const maxNameCharacters = 100;
/**
 * The maximum number of different fragments that a document spreads. graphql-js compares each pair of fragments in one
 * selection set, and visits each fragment of a chain again from each earlier fragment. 200 fragments in one selection
 * set block the event loop for 15 to 30 ms. A chain of 590 fragments blocked it for 60 to 90 ms.
 */
const maxSpreadFragments = 200;
const maxValidationErrors = 100;
const rulesWithoutComparisons = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/**
 * Checks the size of a document, then parses and validates it. The fastest checks come first. Depth and cost belong to
 * an operation and are checked later, so a client sees the errors of the document first.
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
    // The document is parsed without locations, because only errors need them. With locations, the chain of tokens
    // would take most of the memory of the cached document.
    const document = parse(query, { noLocation: true });
    return { kind: 'document', query, document, grow, operations: new Map() };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return rejected([{ ...error.toJSON(), extensions: { code: errors.parseFailed.code } }]);
  }
}

/**
 * Validates a document. If comparing its fields would block the event loop too long, the fields are not compared and
 * the document is rejected, even if it has no other error.
 */
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
 * Measures a document before it is parsed. Counts tokens as graphql-js does: a name, punctuator,
 * number or string is one token. Comments and commas are not tokens. Stops after `max` + 1 tokens,
 * and at a syntax error, which the parser reports later.
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
