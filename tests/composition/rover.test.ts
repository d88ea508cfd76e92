import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';
import { parse } from 'yaml';
import { composeRover, findRover } from '../support/rover';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');

const program = findRover();
const withRover = program === null ? describe.skip : describe;

/**
 * Composes a changed supergraph.yaml in a temporary folder with Rover and the stand-in for its
 * plugin. `textSchema` replaces the schema of the text subgraph.
 */
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
    return composeRover('--stand-in', '--config', join(folder, 'supergraph.yaml'));
  });

withRover('composition with Rover', () => {
  test('Rover, with a stand-in for the plugin that it downloads, composes supergraph.yaml into the committed supergraph.graphql', () => {
    expect(composeRover('--stand-in')).toEqual({
      status: 0,
      output: expect.stringContaining('is what Rover composes'),
    });
  });

  test('the installed Rover has the version that tools/rover/package.json names', () => {
    const { dependencies } = JSON.parse(read('tools/rover/package.json')) as { dependencies: Record<string, string> };
    expect(dependencies).toEqual({ '@apollo/rover': expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect(spawnSync(program ?? '', ['--version'], { encoding: 'utf8' }).stdout.trim()).toBe(
      `Rover ${dependencies['@apollo/rover']}`,
    );
  });

  test('npm run compose:rover fails if a changed routing URL makes the composed supergraph differ from supergraph.graphql', async () => {
    expect(await composing((yaml) => yaml)).toMatchObject({ status: 0 });
    expect(await composing((yaml) => yaml.replace('127.0.0.1:4002', '127.0.0.1:4999'))).toMatchObject({
      status: 1,
      output: expect.stringContaining('Rover composes something else'),
    });
  });

  test('npm run compose:rover fails with the composition error FIELD_TYPE_MISMATCH if two subgraphs give a field different types', async () => {
    const contradicting = read('services/text/schema.graphql').replace(
      '  text: String! @shareable',
      '  text: Int! @shareable',
    );
    expect(await composing((yaml) => yaml, contradicting)).toMatchObject({
      status: 1,
      output: expect.stringMatching(/FIELD_TYPE_MISMATCH.*Verse\.text/),
    });
  });

  test('npm run compose:rover rejects a supergraph.yaml whose federation_version is not one exact version', async () => {
    expect(await composing((yaml) => yaml.replace('=2.14.4', '2'))).toMatchObject({
      status: 1,
      output: expect.stringContaining('federation_version must name one version'),
    });
  });
});

test('supergraph.yaml names the version of the installed @apollo/composition', () => {
  const { version } = JSON.parse(read('node_modules/@apollo/composition/package.json')) as { version: string };
  expect(parse(read('supergraph.yaml'))).toMatchObject({ federation_version: `=${version}` });
});

test('tools/rover/package-lock.json has a digest for each package and contains no address of a package registry', () => {
  const { packages } = JSON.parse(read('tools/rover/package-lock.json')) as {
    packages: Record<string, { integrity?: string; resolved?: string }>;
  };
  const locked = Object.entries(packages).filter(([path]) => path !== '');
  expect(locked.length).toBeGreaterThan(1);
  expect(
    locked.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined),
  ).toEqual([]);
});
