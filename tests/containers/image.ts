import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import type { Dockerfile } from './dockerfile';
import { productionModules } from './production-modules';

/** What the stage `build` lays out for images, as paths in the repository. */
export function builtFiles(dockerfile: Dockerfile): string[] {
  const layOut =
    dockerfile.stage('build').instructions.find(({ rest }) => rest.includes('cp -r --parents'))?.rest ?? '';
  const [, patterns = ''] = /cp -r --parents (.*) \/built$/.exec(layOut) ?? [];
  return patterns.split(' ').flatMap((pattern) => matches(pattern));
}

/** The room whose dependencies a stage installs. */
export function roomOf(dockerfile: Dockerfile, modulesStage: string): string {
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
  if (folder === undefined) throw new Error(`${modulesStage} installs for @lectern/${name}, which is no room`);
  return folder;
}

/** Lays out in an empty folder what an image holds in /app, by the COPY lines of its target: nothing else is there to be found. */
export function layOutImage(dockerfile: Dockerfile, target: string, folder: string): void {
  const built = builtFiles(dockerfile);
  for (const { from, source, to } of dockerfile.copies(target)) {
    if (from === 'build') {
      const wanted = relative('/built', source);
      for (const file of built.filter((each) => wanted === '' || each === wanted || each.startsWith(`${wanted}/`))) {
        linkTree(join(repositoryRoot, file), join(folder, to === './' ? file : join(to, relative(wanted, file))));
      }
    } else if (from.endsWith('-modules') && source === '/app') layOutModules(roomOf(dockerfile, from), folder);
    else throw new Error(`this test does not know what COPY --from=${from} ${source} brings`);
  }
}

function layOutModules(room: string, folder: string): void {
  const { packages, links } = productionModules(room);
  for (const place of packages) {
    // Optional ones of other platforms are not here, nor would they be in an image of this platform.
    if (existsSync(join(repositoryRoot, place))) linkTree(join(repositoryRoot, place), join(folder, place));
  }
  for (const [place, to] of links) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    symlinkSync(relative(dirname(place), to), join(folder, place));
  }
}

/** Hard links where they can be had: an image has ten thousand files. Packages inside packages are listed by themselves. */
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
    // On another file system, or a file system without.
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

/** The files that a pattern of the shell names; `*` is a whole name or a part of one. None is a fault, as it is for `cp`. */
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
  if (found.length === 0) throw new Error(`nothing in ${folder} is called ${pattern}`);
  return found;
}
