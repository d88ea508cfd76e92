/** A fault of what was given to us (a file, a setting), not of our code: shown as one line, without a stack. */
export function importError(message: string): Error {
  const error = new Error(message);
  error.name = errorName;
  return error;
}

export const isImportError = (error: unknown): error is Error => error instanceof Error && error.name === errorName;

const errorName = 'ImportError';
