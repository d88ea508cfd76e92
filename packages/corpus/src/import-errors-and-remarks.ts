const errorName = 'ImportError';

/**
 * Creates the error for bad input: a file, a module or an option. Callers print its message without
 * a stack trace.
 */
export function importError(message: string): Error {
  const error = new Error(message);
  error.name = errorName;
  return error;
}

export const isImportError = (error: unknown): error is Error => error instanceof Error && error.name === errorName;

export const skippedBooksRemark = (verseCount: number, books: readonly string[]): string =>
  `left out, because their books are not among the 66: ${verseCount} verses (${books.join(' ')})`;

export const emptyNumbersRemark = (count: number): string =>
  `numbers that stay empty, because their text is stored at the number before: ${count}`;
