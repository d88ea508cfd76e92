import { readFile } from 'node:fs/promises';

/**
 * GraphiQL says of the parts of its list of tabs that they are tabs, and puts buttons into them: what is in a tab does not exist for a screen
 * reader, and it is the buttons that do something. Without the roles it is what it looks like, a list of buttons.
 */
const mends = [
  ['role: "tablist",', ''],
  ['role: "tab",', ''],
  ['"aria-selected": isActive', '"aria-current": isActive'],
];

/** @type {import('esbuild').Plugin} */
export const fixGraphiqlTabs = {
  name: 'fix-graphiql-tabs',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@graphiql[\\/]react[\\/]dist[\\/]components[\\/]tabs[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const missing = mends.filter(([was]) => !source.includes(was));
      if (missing.length > 0)
        throw new Error(
          `${path} no longer has ${missing.map(([was]) => was).join(' or ')}: see whether fix-graphiql-tabs.mjs is still needed`,
        );
      return { contents: mends.reduce((text, [was, is]) => text.replace(was, is), source), loader: 'js' };
    }),
};
