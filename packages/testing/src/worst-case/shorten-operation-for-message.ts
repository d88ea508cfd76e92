import type { PrintedOperation } from './print-operation';

const maxCharacters = 600;

/** Returns an operation as text for a message. Shortens a long query and long variables. */
export function describeOperation({ query, variables }: PrintedOperation): string {
  const shorten = (text: string): string =>
    text.length <= maxCharacters
      ? text
      : `${text.slice(0, maxCharacters)}... (${text.length.toLocaleString('en')} characters)`;
  return Object.keys(variables).length === 0
    ? shorten(query)
    : `${shorten(query)} with variables ${shorten(JSON.stringify(variables))}`;
}
