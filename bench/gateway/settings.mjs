import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { cleanEnv, EnvError, makeValidator, str } = require('envalid');

const above = (least) =>
  makeValidator((text) => {
    const number = Number(text);
    if (!Number.isFinite(number) || number < least)
      throw new EnvError(`${JSON.stringify(text)} is not a number from ${least} on`);
    return number;
  });

const someOf = (names) =>
  makeValidator((text) => {
    const wanted = text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const unknown = wanted.find((name) => !names.includes(name));
    if (unknown !== undefined) throw new EnvError(`there is no '${unknown}'; the names are ${names.join(', ')}`);
    // In our own order, so that two runs read alike.
    return wanted.length === 0 ? names : names.filter((name) => wanted.includes(name));
  });

/** Below this a figure is a sign that the bench runs, and nothing more. */
export const telling = { rounds: 5, seconds: 1 };

export const readSettings = (env, { contenders, operations }) =>
  cleanEnv(env, {
    ROUNDS: above(1)({
      default: telling.rounds,
      desc: 'How many times each contender is measured at each operation, in turn with the others.',
    }),
    SECONDS: above(0.2)({ default: telling.seconds, desc: 'How long one measurement takes.' }),
    CONNECTIONS: above(1)({
      default: 32,
      desc: 'How many callers ask at the same time, each as soon as it has its answer.',
    }),
    PEERS: someOf(contenders)({ default: contenders, desc: 'Who takes part, with commas between.' }),
    OPERATIONS: someOf(operations)({ default: operations, desc: 'What is asked, with commas between.' }),
    LECTERN_DATA: str({ default: 'data', desc: 'The folder of the texts.' }),
  });
