import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';

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
 * Parses the command line and runs one command.
 * A failure or usageError ends it with a message and its exit status. Any other error is a bug and crashes the process.
 *
 * @param {object} definition
 * @param {string} definition.name the command as a person types it, such as `npm run compose --`
 * @param {string} definition.description what the command does
 * @param {[flags: string, description: string, defaultValue?: string][]} [definition.options] in commander's notation
 * @param {[name: string, description: string][]} [definition.arguments] in commander's notation, such as `<file>`
 * @param {string} [definition.help] text below the list of options
 * @param {(options: any, ...args: any[]) => number | Promise<number>} definition.run receives options and arguments, returns the exit status
 */
export async function runCommand({ name, description, options = [], arguments: args = [], help = '', run }) {
  const program = new Command(name).description(description).helpOption('-h, --help', 'show this help');
  for (const [flags, text, defaultValue] of options) program.option(flags, text, defaultValue);
  for (const [argument, text] of args) program.argument(argument, text);
  program
    .addHelpText('after', help === '' ? '' : `\n${help}`)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    parse(program);
    process.exitCode = await run(program.opts(), ...program.args);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    if (error.exitStatus === undefined) throw error;
    console.error(error.message);
    process.exitCode = error.exitStatus;
  }
}

/** @param {Command} program */
function parse(program) {
  try {
    program.parse();
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
    const message = error.message.replace(/^error: /, '');
    throw usageError(`${message[0].toUpperCase()}${message.slice(1)}`, 'See --help.');
  }
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
