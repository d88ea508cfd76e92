import { createHash } from 'node:crypto';

/** Returns the SHA-256 hash of the query's UTF-8 bytes, in lower-case hexadecimal digits. */
export const hashQuery = (query: string): string => createHash('sha256').update(query).digest('hex');

/** Returns whether the text has the form of a query's hash. */
export const isQueryHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
