// Replaces text in compiled files while Node loads them, so that bench/mechanism-cost.mjs can switch a mechanism off
// without changing a file: node --require ./replace-compiled-text.cjs. LECTERN_REPLACE has [file, text, by] as JSON.
const { readFileSync } = require('node:fs');
const { relative, resolve } = require('node:path');

const root = resolve(__dirname, '..', '..');
/** @type {[string, string, string][]} */
const replacements = JSON.parse(process.env.LECTERN_REPLACE ?? '[]');
const pending = new Set(replacements);

require.extensions['.js'] = (module, path) => {
  let source = readFileSync(path, 'utf8');
  const file = relative(root, path);
  for (const each of replacements) {
    if (each[0] !== file) continue;
    if (!source.includes(each[1])) throw new Error(`${file} does not contain: ${each[1]}`);
    source = source.replace(each[1], () => each[2]);
    pending.delete(each);
  }
  /** @type {any} */ (module)._compile(source, path);
};

process.once('exit', () => {
  for (const [file] of pending) console.error(`${file} was not loaded, so nothing in it was replaced`);
});
