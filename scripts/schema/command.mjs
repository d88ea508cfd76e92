import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** What is wrong with the tree: told as it stands, without a stack, and the exit status is 1. */
export const fault = (...lines) => Object.assign(new Error(lines.join('\n')), { exitStatus: 1 });

/** What cannot be done as it was asked: the exit status is 2. */
export const misuse = (...lines) => Object.assign(new Error(lines.join('\n')), { exitStatus: 2 });

/** Runs a command on its options; `run` gives the exit status. What is neither a fault nor misuse is our bug, and crashes. */
export async function command({ usage, options, run }) {
  try {
    const values = readOptions(options);
    if (values.help) console.log(usage);
    else process.exitCode = await run(values);
  } catch (error) {
    if (error.exitStatus === undefined) throw error;
    console.error(error.message);
    process.exitCode = error.exitStatus;
  }
}

function readOptions(options) {
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h', default: false } } }).values;
  } catch (error) {
    throw misuse(`${error.message}`, 'See --help.');
  }
}

const reasons = { ENOENT: 'no such file', EISDIR: 'is a folder, not a file', EACCES: 'may not be read' };

/** The text of a file, or `problem` (fault or misuse) in words that name it. */
export function readText(path, problem = fault) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw problem(`${path}: ${reasons[error.code] ?? error.message}`);
  }
}
