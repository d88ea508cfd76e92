// @ts-check
import { readFile } from 'node:fs/promises';

/**
 * GraphiQL gives its list of tabs the roles "tablist" and "tab", but each tab contains buttons. Screen readers ignore
 * the content of a tab, so users could not reach these buttons. Without the roles the list is what it looks like: a
 * list of buttons.
 * @type {readonly (readonly [original: string, replacement: string])[]}
 */
const replacements = [
  ['role: "tablist",', ''],
  ['role: "tab",', ''],
  ['"aria-selected": isActive', '"aria-current": isActive'],
];

/**
 * An esbuild plugin that removes the wrong ARIA roles.
 * Fails the build if GraphiQL's source no longer has them.
 * @type {import('esbuild').Plugin}
 */
export const fixGraphiqlTabRoles = {
  name: 'fix-graphiql-tab-roles',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@graphiql[\\/]react[\\/]dist[\\/]components[\\/]tabs[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const missing = replacements.map(([original]) => original).filter((original) => !source.includes(original));
      if (missing.length > 0)
        throw new Error(`${path} no longer has ${missing.join(' or ')}: is fix-graphiql-tab-roles.mjs still needed?`);
      const contents = replacements.reduce(
        (text, [original, replacement]) => text.replace(original, replacement),
        source,
      );
      return { contents, loader: 'js' };
    }),
};
