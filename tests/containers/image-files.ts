import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import type { Dockerfile } from './parse-dockerfile';
import { productionModules } from './production-modules';

/**
 * Lists the files that the stage `build` of the Dockerfile copies to /built for the images, as
 * paths in the repository.
 */
export function builtFiles(dockerfile: Dockerfile): string[] {
  const copyCommand =
    dockerfile.stage('build').instructions.find(({ rest }) => rest.includes('cp -r --parents'))?.rest ?? '';
  const [, patterns = ''] = /cp -r --parents (.*) \/built$/.exec(copyCommand) ?? [];
  return patterns.split(' ').flatMap((pattern) => matches(pattern));
}

/** Returns the folder of the package whose dependencies the stage `modulesStage` installs. */
export function packageOf(dockerfile: Dockerfile, modulesStage: string): string {
  const [, name = ''] =
    / -w @lectern\/(\S+)/.exec(
      dockerfile
        .stage(modulesStage)
        .instructions.map(({ rest }) => rest)
        .join('\n'),
    ) ?? [];
  const folder = ['.', 'packages', 'services']
    .map((parent) => join(parent, name))
    .find((each) => existsSync(join(repositoryRoot, each, 'package.json')));
  if (folder === undefined)
    throw new Error(`${modulesStage} installs @lectern/${name}, which is not a package of this repository`);
  return folder;
}

/**
 * Fills an empty folder with the files that an image has in /app, by the COPY instructions of the
 * image in the Dockerfile.
 */
export function layOutImage(dockerfile: Dockerfile, target: string, folder: string): void {
  const built = builtFiles(dockerfile);
  for (const { from, source, to } of dockerfile.copies(target)) {
    if (from === 'build') {
      const prefix = relative('/built', source);
      for (const file of built.filter((each) => prefix === '' || each === prefix || each.startsWith(`${prefix}/`))) {
        linkTree(join(repositoryRoot, file), join(folder, to === './' ? file : join(to, relative(prefix, file))));
      }
    } else if (from.endsWith('-modules') && source === '/app') layOutModules(packageOf(dockerfile, from), folder);
    else throw new Error(`this test does not support COPY --from=${from} ${source}`);
  }
}

function layOutModules(packageFolder: string, folder: string): void {
  const { packages, links } = productionModules(packageFolder);
  for (const place of packages) {
    // npm does not install optional packages for other platforms.
    if (existsSync(join(repositoryRoot, place))) linkTree(join(repositoryRoot, place), join(folder, place));
  }
  for (const [place, to] of links) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    symlinkSync(relative(dirname(place), to), join(folder, place));
  }
}

/**
 * Copies a file, or a folder with its files, as hard links if possible: an image has more than
 * 10,000 files, and copying their content would take long. Leaves out symbolic links, and nested
 * node_modules, because `productionModules` lists their packages separately.
 */
function linkTree(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const entries = entriesOf(from);
  if (entries === null) return linkFile(from, to);
  mkdirSync(to, { recursive: true });
  for (const entry of entries) {
    if (entry.name !== 'node_modules' && !entry.isSymbolicLink())
      linkTree(join(from, entry.name), join(to, entry.name));
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // These errors mean that the folder is on another file system, or that there are no hard links.
    if (!['EXDEV', 'EPERM', 'EMLINK'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    copyFileSync(from, to);
  }
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Lists the files that match a shell pattern with `*`. Throws if none matches, as `cp` does. */
export function matches(pattern: string, folder = repositoryRoot): string[] {
  let found = [''];
  for (const step of pattern.split('/')) {
    const form = new RegExp(`^${step.replace(/[.+]/g, '\\$&').replaceAll('*', '.*')}$`);
    found = found.flatMap((parent) =>
      (entriesOf(join(folder, parent)) ?? [])
        .map(({ name }) => join(parent, name))
        .filter((path) => form.test(path.slice(path.lastIndexOf('/') + 1))),
    );
    found = found.filter((path) => !path.split('/').includes('node_modules'));
  }
  if (found.length === 0) throw new Error(`no file in ${folder} matches ${pattern}`);
  return found;
}
