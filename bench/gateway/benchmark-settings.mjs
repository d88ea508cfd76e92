import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { cleanEnv, EnvError, makeValidator, str } = require('envalid');

/** Validates a setting that is a number of at least `min`. */
const atLeast = (min) =>
  makeValidator((text) => {
    const number = Number(text);
    if (!Number.isFinite(number) || number < min)
      throw new EnvError(`${JSON.stringify(text)} is not a number of at least ${min}`);
    return number;
  });

/** Validates a setting that is a list of these names, separated by commas. An empty list means all names. */
const someOf = (names) =>
  makeValidator((text) => {
    const wanted = text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const unknown = wanted.find((name) => !names.includes(name));
    if (unknown !== undefined) throw new EnvError(`unknown name '${unknown}'; known names: ${names.join(', ')}`);
    // The result has the order of `names`, so that the output of all runs has the same order.
    return wanted.length === 0 ? names : names.filter((name) => wanted.includes(name));
  });

/** The default settings. The results page warns of figures that were measured with fewer rounds or seconds. */
export const defaults = { rounds: 5, seconds: 1 };

export const readSettings = (env, { gateways, operations }) =>
  cleanEnv(env, {
    ROUNDS: atLeast(1)({
      default: defaults.rounds,
      desc: 'How many times each gateway is measured with each operation.',
    }),
    SECONDS: atLeast(0.2)({ default: defaults.seconds, desc: 'How long one measurement takes.' }),
    CONNECTIONS: atLeast(1)({
      default: 32,
      desc: 'Number of connections. Each sends its next request when it has received a response.',
    }),
    GATEWAYS: someOf(gateways)({ default: gateways, desc: 'The gateways to measure, separated by commas.' }),
    OPERATIONS: someOf(operations)({ default: operations, desc: 'The operations to measure, separated by commas.' }),
    LECTERN_DATA: str({ default: 'data', desc: 'The data folder.' }),
  });
