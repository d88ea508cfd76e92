import { type GraphQLError, type GraphQLFormattedError, parse, Source, type SourceLocation } from 'graphql';

/** An error about a cycle of fragments lists every fragment, so 100 such errors took 2 MB. */
const maxMessageCharacters = 1_000;
export const maxLocations = 20;

/**
 * Parses a document whose errors need locations, or throws a GraphQLError. graphql-js would read all lines for each
 * location: 500 ms for 100 errors after 90,000 lines. So the source is emptied, and lines are found in a list.
 */
export function parseForErrors(query: string) {
  const source = new Source(query);
  const document = parse(source);
  source.body = '';
  let lineStarts: readonly number[] | null = null;
  const locate = (position: number): SourceLocation => locationOf((lineStarts ??= findLineStarts(query)), position);
  return {
    document,
    locate,
    formatError({ message, positions }: GraphQLError, code: string): GraphQLFormattedError {
      const shortened =
        message.length > maxMessageCharacters ? `${message.slice(0, maxMessageCharacters)} ...` : message;
      const locations = positions?.slice(0, maxLocations).map(locate);
      return { message: shortened, locations, extensions: { code } };
    },
  };
}

/** Returns the positions at which the lines of a text begin, in UTF-16 units. */
const findLineStarts = (text: string): number[] => [
  0,
  ...Array.from(text.matchAll(/\r\n|[\n\r]/g), ({ 0: lineEnd, index }) => index + lineEnd.length),
];

/** Returns the line and column of a position. Both begin with 1. */
function locationOf(lineStarts: readonly number[], position: number): SourceLocation {
  let line = 1;
  let end = lineStarts.length;
  while (line < end) {
    const middle = Math.ceil((line + end) / 2);
    if ((lineStarts[middle - 1] ?? 0) <= position) line = middle;
    else end = middle - 1;
  }
  return { line, column: position + 1 - (lineStarts[line - 1] ?? 0) };
}
