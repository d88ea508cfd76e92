import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processOptions } from '@lectern/serving';
import { repositoryRoot } from '@lectern/testing';
import { subgraphNames } from '../support/supergraph-yaml';
import { builtFiles, matches, packageOf } from './image-files';
import { readDockerfile } from './parse-dockerfile';
import { parseEnvironment } from './process-settings';

const dockerfile = readDockerfile();
const manifest = (folder: string) =>
  JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
const servers = dockerfile.targets.filter((name) => name !== 'data');

/**
 * Lists the folders of a package and of all packages of this repository that it needs at run time.
 */
function packagesOf(packageFolder: string): string[] {
  const folders = new Set([packageFolder]);
  for (const folder of folders) {
    for (const name of Object.keys(manifest(folder).dependencies ?? {}).filter((each) =>
      each.startsWith('@lectern/'),
    )) {
      folders.add(
        ['', 'packages/', 'services/']
          .map((parent) => `${parent}${name.slice('@lectern/'.length)}`)
          .find((each) => existsSync(join(repositoryRoot, each, 'package.json'))) ?? name,
      );
    }
  }
  return [...folders].sort();
}

test('the Dockerfile builds exactly one Docker image for each process of a deployment', () => {
  const expected = ['gateway', ...subgraphNames, 'mcp', 'data', 'lectern'];
  expect([...dockerfile.targets].sort()).toEqual(expected.sort());
});

const commandArguments: Readonly<Record<string, string[]>> = { mcp: ['--http'] };

describe.each(dockerfile.targets)('in the Dockerfile', (target) => {
  test(`the Docker image ${target} runs one compiled file with node as user 1000 in /app, and stops on SIGTERM`, () => {
    const [node, file = '', ...args] = dockerfile.command(target);
    expect([node, ...args]).toEqual(['node', ...(commandArguments[target] ?? [])]);
    expect(file).toMatch(/^(gateway|packages\/(standalone|mcp)|services\/[a-z]+)\/dist\/(data-)?main\.js$/);
    expect(existsSync(join(repositoryRoot, file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')))).toBe(true);
    expect([
      dockerfile.last(target, 'USER'),
      dockerfile.last(target, 'STOPSIGNAL'),
      dockerfile.last(target, 'WORKDIR'),
    ]).toEqual(['1000:1000', 'SIGTERM', '/app']);
  });

  test(`the Docker image ${target} contains no compiler and no development dependencies, and sets NODE_ENV to production`, () => {
    expect(
      dockerfile
        .instructionsOf(target)
        .map(({ rest }) => rest)
        .join('\n'),
    ).not.toMatch(/g\+\+|npm |python/);
    expect(dockerfile.environment(target)['NODE_ENV']).toBe('production');
    for (const { from } of dockerfile.copies(target).filter((copy) => copy.from !== 'build')) {
      expect(dockerfile.stage(from).instructions[0]?.rest).toMatch(/^npm ci --omit=dev --ignore-scripts /);
    }
  });

  test(`the image ${target} sets MALLOC_ARENA_MAX and MALLOC_TRIM_THRESHOLD_ as the npm scripts of a service do`, () => {
    expect(dockerfile.environment(target)).toMatchObject(processOptions(null, {}).env);
  });

  test(`the Docker image ${target} contains exactly the packages of this repository that its process needs`, () => {
    const copies = dockerfile.copies(target);
    const packageFolder = packageOf(dockerfile, copies.find(({ from }) => from.endsWith('-modules'))?.from ?? '');
    const copied = copies.filter(({ from }) => from === 'build').map(({ source }) => source.replace(/^\/built\/?/, ''));
    // The images `data` and `lectern` copy all packages with one instruction. The other images copy
    // each package by name.
    const contained = copied.flatMap((each) => (each === '' ? packagesOf('packages/standalone') : [each]));
    expect(contained.sort()).toEqual(packagesOf(packageFolder));
  });

  test(`the image ${target} sets only variables that its process reads, among them HOST=0.0.0.0 and LECTERN_DATA=/data`, () => {
    expect(parseEnvironment(target, dockerfile.environment(target))).toMatchObject({
      HOST: '0.0.0.0',
      LECTERN_DATA: '/data',
    });
  });
});

test.each(servers)(
  'the process of the Docker image %s listens by default on the port that the image exposes, and the health check runs node',
  (target) => {
    const port = Number(dockerfile.last(target, 'EXPOSE'));
    expect([
      parseEnvironment(target, dockerfile.environment(target))['PORT'],
      parseEnvironment(target, {})['PORT'],
    ]).toEqual([port, port]);
    expect(dockerfile.healthcheck(target)?.[0]).toBe('node');
  },
);

test('the Docker image lectern contains the same files as the Docker image data, and runs another command', () => {
  expect([dockerfile.stage('lectern').from, dockerfile.copies('lectern')]).toEqual(['data', dockerfile.copies('data')]);
  expect(dockerfile.command('lectern')).not.toEqual(dockerfile.command('data'));
});

test('the Docker image data has no health check, because its process is a job that ends', () => {
  expect(dockerfile.last('data', 'HEALTHCHECK')).toBe('NONE');
});

test('.dockerignore admits only existing paths without secrets and data, and every repository file that an image needs', () => {
  const lines = readFileSync(join(repositoryRoot, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(included.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
  // No image may contain these paths, because they may contain secrets, data and generated files.
  expect(included.filter((path) => /^(\.env|\.git|data|node_modules)/.test(path))).toEqual([]);
  const files = builtFiles(dockerfile);
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((path) => !included.includes(path.split('/')[0] ?? ''))).toEqual([]);
});

test('the Dockerfile copies each table and list that a compiled file reads to the images', () => {
  // The tests of a new subgraph run in a copy without git.
  const owners = ['packages/*', 'services/*'].flatMap((pattern) => matches(pattern));
  const filesIn = (folder: string): string[] =>
    readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
      if (entry.isFile()) return [`${folder}/${entry.name}`];
      const isOwn = entry.isDirectory() && !['node_modules', 'dist', '.turbo'].includes(entry.name);
      return isOwn ? filesIn(`${folder}/${entry.name}`) : [];
    });
  const files = owners.flatMap(filesIn);
  const code = files.filter((file) => /\/src\/.*(?<!\.test)\.ts$/.test(file) && !file.startsWith('packages/testing/'));
  const texts = code.map((file) => [file, readFileSync(join(repositoryRoot, file), 'utf8')] as const);
  const isRead = (table: string): boolean => {
    const owner = table.split('/', 2).join('/');
    const name = table.slice(table.lastIndexOf('/') + 1);
    return texts.some(([file, text]) => file.startsWith(`${owner}/`) && new RegExp(`['/]${name}'`).test(text));
  };
  const tables = files.filter((file) => /\.(tsv|txt)$/.test(file) && isRead(file));
  const built = builtFiles(dockerfile);
  expect(tables).toContain('services/originals/corrections.tsv');
  expect(tables.filter((table) => !built.some((each) => table === each || table.startsWith(`${each}/`)))).toEqual([]);
});
