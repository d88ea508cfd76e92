import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';

/** The sizes of a document that are known before it is parsed. */
export interface TokenCount {
  tokens: number;
  /** The depth of nested brackets of any kind. */
  nesting: number;
  /** The length of the longest name, in characters. */
  longestName: number;
  /** The number of different fragments that the document spreads. */
  spreadFragments: number;
}

const openingBrackets: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closingBrackets: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Counts tokens as graphql-js does: a name, punctuator, number or string is one token. Comments and
 * commas are not tokens. Stops after `max` + 1 tokens, and at a syntax error, which the parser
 * reports later.
 */
export function countTokens(text: string, max: number): TokenCount {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let openBrackets = 0;
  let nesting = 0;
  let longestName = 0;
  let isAfterSpread = false;
  const spreadFragments = new Set<string>();
  try {
    for (
      let { kind, start, end, value } = lexer.advance();
      kind !== TokenKind.EOF && tokens <= max;
      { kind, start, end, value } = lexer.advance()
    ) {
      tokens += 1;
      if (kind === TokenKind.NAME) longestName = Math.max(longestName, end - start);
      // `... on Verse` is an inline fragment, which has no name.
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
