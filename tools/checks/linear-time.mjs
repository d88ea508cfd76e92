// A plugin of oxlint (.oxlintrc.json) with one rule: the time of every regular expression grows linearly with the
// length of the text. The package recheck decides. Without its program for this machine, its JavaScript takes four
// times as long. The verdicts are stored in node_modules/.lectern, because all of them together take half a minute.
// An exception is a comment before the expression: // oxlint-disable-next-line lectern/linear-time -- <reason>
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { checkSync } = createRequire(import.meta.url)('recheck');

/**
 * Verdicts depend on counts of steps instead of times, so that they are the same on a busy machine. An expression that
 * takes longer than `timeout` (in milliseconds) is too hard to check, and is rejected.
 */
const options = {
  timeout: 120_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 5_000_000,
  maxAttackStringSize: 20_000,
  maxIteration: 3,
};

const verdictFile = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules/.lectern/linear-time.json');
const { version } = createRequire(import.meta.url)('recheck/package.json');
const verdicts = readVerdicts();

/** Returns why the time of an expression may not be linear, or ''. */
function problemOf(/** @type {string} */ source, /** @type {string} */ flags) {
  const key = `/${source}/${flags}`;
  verdicts[key] ??= check(source, flags);
  return verdicts[key];
}

function check(/** @type {string} */ source, /** @type {string} */ flags) {
  const { status, complexity, attack, error } = checkSync(source, flags, options);
  const problem =
    status === 'safe'
      ? ''
      : status === 'vulnerable'
        ? `Its time is ${complexity.summary}, for example for ${attack.pattern.slice(0, 200)}.`
        : `It cannot be checked (${error.kind}).`;
  if (error?.kind === 'invalid') return '';
  writeVerdicts(`/${source}/${flags}`, problem);
  return problem;
}

function readVerdicts() {
  try {
    const stored = JSON.parse(readFileSync(verdictFile, 'utf8'));
    return stored.version === version ? stored.verdicts : {};
  } catch {
    return {};
  }
}

function writeVerdicts(/** @type {string} */ key, /** @type {string} */ problem) {
  verdicts[key] = problem;
  mkdirSync(dirname(verdictFile), { recursive: true });
  writeFileSync(`${verdictFile}.${process.pid}`, JSON.stringify({ version, verdicts }));
  renameSync(`${verdictFile}.${process.pid}`, verdictFile);
}

/** Stands for a value that is known only at run time. */
const unknown = 'x';

/**
 * Returns the text of an expression of the code: of a string, a template, a constant of the file, or a list of them
 * with `join`. Null if nothing of the text is known.
 * @param {any} node
 * @param {Map<string, any>} constants
 * @returns {string | null}
 */
function textOf(node, constants) {
  const part = (/** @type {any} */ each) => textOf(each, constants) ?? unknown;
  switch (node?.type) {
    case 'Literal':
      return node.regex ? node.regex.pattern : String(node.value);
    case 'TemplateLiteral':
      return interleave(node, 'cooked', part);
    case 'TaggedTemplateExpression':
      return node.tag.property?.name === 'raw' ? interleave(node.quasi, 'raw', part) : null;
    case 'BinaryExpression':
      return node.operator === '+' ? part(node.left) + part(node.right) : null;
    case 'Identifier':
      return constants.has(node.name) ? textOf(constants.get(node.name), constants) : null;
    case 'MemberExpression':
      return node.property.name === 'source' ? textOf(node.object, constants) : null;
    case 'CallExpression': {
      const { object, property } = node.callee;
      const list = constants.get(object?.name) ?? object;
      return property?.name === 'join' && list.type === 'ArrayExpression'
        ? list.elements.map(part).join(part(node.arguments[0]))
        : null;
    }
    default:
      return null;
  }
}

/** @type {(template: any, form: 'raw' | 'cooked', part: (node: any) => string) => string} */
const interleave = ({ quasis, expressions }, form, part) =>
  quasis
    .map((/** @type {any} */ quasi, /** @type {number} */ index) =>
      index === 0 ? quasi.value[form] : part(expressions[index - 1]) + quasi.value[form],
    )
    .join('');

const linearTime = {
  meta: { type: 'problem', schema: [] },
  create(/** @type {any} */ context) {
    /** @type {Map<string, any>} */
    const constants = new Map();
    const checkText = (/** @type {any} */ node, /** @type {string} */ source, /** @type {string} */ flags) => {
      const problem = problemOf(source, flags);
      if (problem !== '')
        context.report({
          node,
          message: `${problem} Write an expression with linear time, or a loop that reads each character once.`,
        });
    };
    const checkConstructor = (/** @type {any} */ node) => {
      if (node.callee.name !== 'RegExp') return;
      const source = textOf(node.arguments[0], constants);
      if (source !== null) checkText(node, source, textOf(node.arguments[1], constants) ?? '');
    };
    return {
      Program(/** @type {any} */ { body }) {
        for (const statement of body)
          for (const { id, init } of (statement.declaration ?? statement).declarations ?? [])
            constants.set(id.name, init);
      },
      Literal(/** @type {any} */ node) {
        if (node.regex) checkText(node, node.regex.pattern, node.regex.flags);
      },
      NewExpression: checkConstructor,
      CallExpression: checkConstructor,
    };
  },
};

// oxlint reads the plugin from the default export.
// oxlint-disable-next-line import/no-default-export
export default { meta: { name: 'lectern' }, rules: { 'linear-time': linearTime } };
