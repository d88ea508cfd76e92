import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryRoot } from '@lectern/testing';

/** Large folders that no test changes. The copy links to them. */
const linkedFolders = ['data', 'packages/embeddings/model', 'packages/embeddings/vectors', 'services/search/vectors'];
const excludedFolders = new Set(['.git', '.turbo', 'coverage', 'node_modules']);

/**
 * Copies the repository with its compiled code into an existing folder. The copy has links to the
 * installed packages. Its links in `node_modules/@lectern` lead to the packages of the copy.
 */
export function copyRepository(folder: string): void {
  cpSync(repositoryRoot, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => {
      const place = relative(repositoryRoot, path);
      return !excludedFolders.has(place.split('/').at(-1) ?? '') && !linkedFolders.includes(place);
    },
  });
  for (const place of linkedFolders) symlinkSync(join(repositoryRoot, place), join(folder, place));
  linkModules(folder);
}

function linkModules(folder: string): void {
  const modules = join(repositoryRoot, 'node_modules');
  mkdirSync(join(folder, 'node_modules/@lectern'), { recursive: true });
  for (const entry of readdirSync(modules).filter((each) => each !== '@lectern'))
    symlinkSync(join(modules, entry), join(folder, 'node_modules', entry));
  // npm's links are relative, so the same links lead to the packages of the copy.
  for (const entry of readdirSync(join(modules, '@lectern')))
    cpSync(join(modules, '@lectern', entry), join(folder, 'node_modules/@lectern', entry), { verbatimSymlinks: true });
  for (const parent of ['packages', 'services', 'tools', '.'])
    for (const entry of readdirSync(join(repositoryRoot, parent))) {
      const own = join(parent, entry, 'node_modules');
      if (existsSync(join(repositoryRoot, own)) && lstatSync(join(repositoryRoot, parent, entry)).isDirectory())
        symlinkSync(join(repositoryRoot, own), join(folder, own));
    }
}
