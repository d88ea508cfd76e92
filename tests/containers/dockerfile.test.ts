import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { readAs } from './container-settings';
import { readDockerfile } from './dockerfile';
import { builtFiles, roomOf } from './image';

const dockerfile = readDockerfile();
const manifest = (folder: string) =>
  JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as {
    engines?: { node: string };
    dependencies?: Record<string, string>;
  };
const servers = dockerfile.targets.filter((name) => name !== 'data');

/** The rooms that a room needs to run, itself among them. */
function roomsOf(room: string): string[] {
  const rooms = new Set([room]);
  for (const folder of rooms) {
    for (const name of Object.keys(manifest(folder).dependencies ?? {}).filter((each) =>
      each.startsWith('@lectern/'),
    )) {
      rooms.add(
        ['', 'packages/', 'services/']
          .map((parent) => `${parent}${name.slice('@lectern/'.length)}`)
          .find((each) => existsSync(join(repositoryRoot, each, 'package.json'))) ?? name,
      );
    }
  }
  return [...rooms].sort();
}

test('there is an image of every process, of the job that makes their data, and of the whole', () => {
  expect(dockerfile.targets).toEqual(['gateway', 'text', 'search', 'concordance', 'data', 'lectern']);
});

test('the base image is named by its whole version, one that this code runs on', () => {
  const [, major = '', minor = ''] = /^node:(\d+)\.(\d+)\.\d+-bookworm-slim$/.exec(dockerfile.baseImage) ?? [];
  const [, leastMajor = '', leastMinor = ''] = /^>=(\d+)\.(\d+)$/.exec(manifest('.').engines?.node ?? '') ?? [];
  expect([Number(major), Number(minor) >= Number(leastMinor)]).toEqual([Number(leastMajor), true]);
});

describe.each(dockerfile.targets)('the image %s', (target) => {
  test('runs one compiled file by node itself, as a user without a name or a right', () => {
    const command = dockerfile.command(target);
    expect(command).toEqual([
      'node',
      expect.stringMatching(/^(gateway|packages\/standalone|services\/[a-z]+)\/dist\/(data-)?main\.js$/),
    ]);
    expect(
      existsSync(join(repositoryRoot, (command[1] ?? '').replace('/dist/', '/src/').replace(/\.js$/, '.ts'))),
    ).toBe(true);
    expect([
      dockerfile.last(target, 'USER'),
      dockerfile.last(target, 'STOPSIGNAL'),
      dockerfile.last(target, 'WORKDIR'),
    ]).toEqual(['1000:1000', 'SIGTERM', '/app']);
  });

  test('has no compiler, and nothing that only development needs', () => {
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

  test('holds the rooms that its process needs, and no other', () => {
    const copies = dockerfile.copies(target);
    const room = roomOf(dockerfile, copies.find(({ from }) => from.endsWith('-modules'))?.from ?? '');
    const copied = copies.filter(({ from }) => from === 'build').map(({ source }) => source.replace(/^\/built\/?/, ''));
    // The job and the whole are made of every room; of the others each says which.
    const held = copied
      .flatMap((each) => (each === '' ? roomsOf('packages/standalone') : [each]))
      .filter((each) => each !== 'supergraph.graphql');
    expect(held.sort()).toEqual(roomsOf(room));
  });

  test('sets nothing that its process does not read', () => {
    expect(readAs(target, dockerfile.environment(target))).toMatchObject({ HOST: '0.0.0.0', LECTERN_DATA: '/data' });
  });
});

test.each(servers)('%s listens on the port that its image exposes, the one it has by default', (target) => {
  const port = Number(dockerfile.last(target, 'EXPOSE'));
  expect([readAs(target, dockerfile.environment(target))['PORT'], readAs(target, {})['PORT']]).toEqual([port, port]);
  expect(dockerfile.healthcheck(target)?.[0]).toBe('node');
});

test('the image of the whole is that of the job, with another command', () => {
  expect([dockerfile.stage('lectern').from, dockerfile.copies('lectern')]).toEqual(['data', dockerfile.copies('data')]);
});

test('the job has no health check, for it is done or it is not', () => {
  expect(dockerfile.last('data', 'HEALTHCHECK')).toBe('NONE');
});

test('what the images are made of is there, and let through by .dockerignore', () => {
  const lines = readFileSync(join(repositoryRoot, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const letThrough = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(letThrough.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
  // Where files of a program's own making, data and secrets lie.
  expect(letThrough.filter((path) => /^(\.env|\.git|data|node_modules)/.test(path))).toEqual([]);
  const files = builtFiles(dockerfile);
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((path) => !letThrough.includes(path.split('/')[0] ?? ''))).toEqual([]);
});
