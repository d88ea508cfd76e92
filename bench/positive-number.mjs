import { InvalidArgumentError } from 'commander';

/**
 * Parses the value of a command-line option as a number above 0.
 *
 * @param {string} text
 */
export const positive = (text) => {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
};
