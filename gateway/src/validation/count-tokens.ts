import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';

/** What can be known of a document before it is parsed. */
export interface TokenCount {
  tokens: number;
  /** How deep brackets of any kind stand in each other. */
  nesting: number;
  /** In characters. */
  longestName: number;
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Counts tokens as GraphQL does: names, punctuators, numbers and strings each are one, comments and commas none. Stops one past `most`.
 * What is no token at all ends the count: the parser will say so better.
 */
export function countTokens(text: string, most: number): TokenCount {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let open = 0;
  let nesting = 0;
  let longestName = 0;
  try {
    for (
      let { kind, start, end } = lexer.advance();
      kind !== TokenKind.EOF && tokens <= most;
      { kind, start, end } = lexer.advance()
    ) {
      tokens += 1;
      if (kind === TokenKind.NAME) longestName = Math.max(longestName, end - start);
      if (opening.has(kind)) nesting = Math.max(nesting, (open += 1));
      else if (closing.has(kind)) open -= 1;
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
  return { tokens, nesting, longestName };
}
