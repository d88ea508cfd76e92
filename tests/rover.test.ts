import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');

const rover = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repositoryRoot, 'scripts/compose-rover.mjs'), ...args],
    {
      cwd: repositoryRoot,
      encoding: 'utf8',
    },
  );
  return { status, said: stdout + stderr };
};

/** Installs Rover where that was not done yet. Where it cannot be had, that is said in one line; under CI it fails the tests instead. */
function findRover(): string | null {
  if (process.platform === 'win32') return null;
  const { status, said } = rover('--install');
  if (status === 0) return said.trim().replace('Rover is installed: ', '');
  if (status !== 3 || process.env['CI'] === 'true') throw new Error(said);
  process.stderr.write(`skipped: tests with rover (${said.trim().replaceAll(/\s+/g, ' ')})\n`);
  return null;
}

const program = findRover();
const withRover = program === null ? describe.skip : describe;

/** Composes supergraph.yaml, changed, from a folder of its own; the schemas stay where they are unless one is given. */
const composing = (change: (yaml: string) => string, textSchema?: string) =>
  withFolder((folder) => {
    if (textSchema !== undefined) writeFileSync(join(folder, 'text.graphql'), textSchema);
    const services =
      textSchema === undefined
        ? read('supergraph.yaml')
        : read('supergraph.yaml').replace('./services/text/schema.graphql', join(folder, 'text.graphql'));
    writeFileSync(
      join(folder, 'supergraph.yaml'),
      change(services.replaceAll('./services', join(repositoryRoot, 'services'))),
    );
    return rover('--stand-in', '--config', join(folder, 'supergraph.yaml'));
  });

withRover('Rover itself', () => {
  test('reads supergraph.yaml, and what it composes is the committed supergraph', () => {
    expect(rover('--stand-in')).toEqual({ status: 0, said: expect.stringContaining('is what Rover composes') });
  });

  test('is the version that tools/rover names', () => {
    const { dependencies } = JSON.parse(read('tools/rover/package.json')) as { dependencies: Record<string, string> };
    expect(dependencies).toEqual({ '@apollo/rover': expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect(spawnSync(program ?? '', ['--version'], { encoding: 'utf8' }).stdout.trim()).toBe(
      `Rover ${dependencies['@apollo/rover']}`,
    );
  });

  test('another address of a subgraph comes out as another supergraph', async () => {
    expect(await composing((yaml) => yaml)).toMatchObject({ status: 0 });
    expect(await composing((yaml) => yaml.replace('127.0.0.1:4002', '127.0.0.1:4999'))).toMatchObject({
      status: 1,
      said: expect.stringContaining('Rover composes something else'),
    });
  });

  test('subgraphs that contradict each other are refused, with what the composition says', async () => {
    const contradicting = read('services/text/schema.graphql').replace(
      '  text: String! @shareable',
      '  text: Int! @shareable',
    );
    expect(await composing((yaml) => yaml, contradicting)).toMatchObject({
      status: 1,
      said: expect.stringMatching(/FIELD_TYPE_MISMATCH.*Verse\.text/),
    });
  });

  test('a configuration that names no one version of the federation is refused', async () => {
    expect(await composing((yaml) => yaml.replace('=2.14.4', '2'))).toMatchObject({
      status: 1,
      said: expect.stringContaining('federation_version must name one version'),
    });
  });
});

test('supergraph.yaml asks Rover for the version of the composition that Lectern itself composes with', () => {
  const { version } = JSON.parse(read('node_modules/@apollo/composition/package.json')) as { version: string };
  expect(parse(read('supergraph.yaml'))).toMatchObject({ federation_version: `=${version}` });
});

test('the lock of tools/rover holds the digest of each package and the address of no registry', () => {
  const { packages } = JSON.parse(read('tools/rover/package-lock.json')) as {
    packages: Record<string, { integrity?: string; resolved?: string }>;
  };
  const locked = Object.entries(packages).filter(([path]) => path !== '');
  expect(locked.length).toBeGreaterThan(1);
  expect(
    locked.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined),
  ).toEqual([]);
});
