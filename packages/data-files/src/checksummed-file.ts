const errorName = 'SealedFileError';

/** One line about a file: what is wrong with it, and what mends it. */
export function checksummedFileError(message: string): Error {
  const error = new Error(message);
  error.name = errorName;
  return error;
}

/** True for what `openChecksummedFile` throws about a file: such an error is shown as one line, without a stack. */
export const isChecksummedFileError = (error: unknown): error is Error =>
  error instanceof Error && error.name === errorName;
