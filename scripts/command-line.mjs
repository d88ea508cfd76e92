// The command line of all scripts. This file imports only Node's own modules, so that --help works before anything is
// installed.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Creates an error that ends the command with its message and an exit status, without a stack.
 *
 * @param {number} exitStatus
 * @param {string[]} lines
 */
export const commandError = (exitStatus, lines) => Object.assign(new Error(lines.join('\n')), { exitStatus });

/**
 * Creates the error of a command that has failed, such as for an error in a file. The exit status
 * is 1.
 */
export const failure = (/** @type {string[]} */ ...lines) => commandError(1, lines);

/**
 * Creates the error of a command that was called in a way that it does not support. The exit status
 * is 2.
 */
export const usageError = (/** @type {string[]} */ ...lines) => commandError(2, lines);

/**
 * @typedef {object} Definition
 * @property {string} name the command as a person types it, such as `npm run compose --`
 * @property {string} description what the command does
 * @property {[flags: string, description: string, defaultValue?: string][]} [options] `--name`, or `--name <value>`
 * @property {[name: string, description: string][]} [arguments] required ones, such as `<file>` or `<files...>`
 * @property {string} [passesTo] the program that gets all arguments but --help, in place of `options` and `arguments`
 * @property {string} [help] text below the list of options
 */

/**
 * Parses the command line and runs one command: prints the help for --help, and one line for an invalid command line.
 * A failure or usageError ends it with a message and its exit status. Any other error is a bug and crashes the process.
 *
 * @param {Definition & { run: (options: any, ...args: any[]) => number | Promise<number> }} definition
 *   `run` receives options and arguments, and returns the exit status
 */
export async function runCommand({ run, ...definition }) {
  ignoreClosedOutput();
  try {
    const parsed = parse(definition, process.argv.slice(2));
    if (parsed === null) console.log(formatHelp(definition));
    else process.exitCode = await run(parsed.options, ...parsed.args);
  } catch (error) {
    if (error.exitStatus === undefined) throw error;
    console.error(error.message);
    process.exitCode = error.exitStatus;
  }
}

/**
 * In `npm run check:schema | head`, `head` closes the output early. The command goes on, so that its work and its exit
 * status stay the same.
 */
function ignoreClosedOutput() {
  // A process of the tests runs several commands, so the listener of an earlier command is removed.
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', throwUnlessClosed).on('error', throwUnlessClosed);
}

function throwUnlessClosed(/** @type {NodeJS.ErrnoException} */ error) {
  if (error.code !== 'EPIPE') throw error;
}

const hint = 'See --help.';

/**
 * Returns null for --help. Throws usageError.
 *
 * @param {Definition} definition
 * @param {string[]} argv
 */
function parse({ options = [], arguments: names = [], passesTo }, argv) {
  if (passesTo !== undefined)
    return argv.some((arg) => arg === '--help' || arg === '-h') ? null : { options: {}, args: argv };
  const known = Object.fromEntries(options.map(([flags]) => [nameOf(flags), { type: typeOf(flags) }]));
  const { tokens, positionals } = parseArgs({
    args: argv,
    options: { ...known, help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === 'option');
  if (given.some(({ name }) => name === 'help')) return null;
  for (const { name, rawName, value } of given) {
    if (!Object.hasOwn(known, name)) throw usageError(`Unknown option '${rawName}'. ${hint}`);
    const needsValue = known[name].type === 'string';
    if (needsValue !== (value !== undefined))
      throw usageError(`Option '${rawName}' ${needsValue ? 'needs a' : 'takes no'} value. ${hint}`);
  }
  const isVariadic = names.at(-1)?.[0].endsWith('...>');
  if (positionals.length < names.length)
    throw usageError(`The argument ${names[positionals.length][0]} is missing. ${hint}`);
  if (positionals.length > names.length && !isVariadic)
    throw usageError(`Unexpected argument '${positionals[names.length]}'. ${hint}`);
  const values = new Map([
    ...options.map(([flags, , value]) => /** @type {const} */ ([nameOf(flags), value])),
    ...given.map(({ name, value }) => /** @type {const} */ ([name, value ?? true])),
  ]);
  const inCamelCase = (/** @type {string} */ name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  return {
    options: Object.fromEntries([...values].map(([name, value]) => [inCamelCase(name), value])),
    args: positionals,
  };
}

const nameOf = (/** @type {string} */ flags) => flags.split(' ')[0].slice(2);
const typeOf = (/** @type {string} */ flags) =>
  /** @type {'string' | 'boolean'} */ (flags.includes(' ') ? 'string' : 'boolean');

/** @param {Definition} definition */
function formatHelp({ name, description, options = [], arguments: args = [], passesTo, help = '' }) {
  const rows = [
    ...args,
    ...options.map(([flags, text, value]) => [flags, value === undefined ? text : `${text} (default: ${value})`]),
    ['-h, --help', 'show this help'],
  ];
  const width = Math.max(...rows.map(([flags]) => flags.length));
  const words =
    passesTo === undefined ? ['[options]', ...args.map(([argument]) => argument)] : [`[arguments of ${passesTo}]`];
  const usage = `Usage: ${[name, ...words].join(' ')}`;
  const table = rows.map(([flags, text]) => `  ${flags.padEnd(width)}  ${text}`).join('\n');
  return [usage, description, table, ...(help === '' ? [] : [help])].join('\n\n');
}

const reasons = { ENOENT: 'no such file', EISDIR: 'is a folder, not a file', EACCES: 'permission denied' };

/**
 * Reads a text file. Throws `createError` (failure or usageError) with the path and the reason.
 *
 * @param {string} path
 */
export function readText(path, createError = failure) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw createError(`${path}: ${reasons[error.code] ?? error.message}`);
  }
}
