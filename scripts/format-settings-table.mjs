import { createRequire } from 'node:module';

// Imports envalid as packages/subgraph does, because the scripts do not depend on envalid.
const { cleanEnv } = createRequire(new URL('../packages/subgraph/package.json', import.meta.url))('envalid');

/** Formats the rows of the settings that a process reads: name, default and description. */
export function settingsRows(settings) {
  const defaults = cleanEnv({}, settings);
  return Object.keys(settings).map((name) => {
    const defaultValue = defaults[name] === '' ? '' : `\`${defaults[name]}\``;
    return `| \`${name}\` | ${defaultValue} | ${settings[name].desc} |`;
  });
}

/** Formats the settings as a Markdown table. */
export const settingsTable = (settings) =>
  ['| name | default | meaning |', '| --- | --- | --- |', ...settingsRows(settings)].join('\n');
