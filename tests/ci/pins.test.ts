import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';
import { parse } from 'yaml';

/** Images that are pinned by their version only. docs/run.md names them too. */
const notPinned = ['jaegertracing/jaeger:2.10.0'];

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const filesOf = (folder: string) =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => `${folder}/${file}`);
const valuesOf = (file: string, pattern: RegExp) => [...read(file).matchAll(pattern)].map(([, value = '']) => value);

const template = 'scripts/new-subgraph/templates/workflow.yml.template';
const actions = [...filesOf('.github/workflows'), template].flatMap((file) =>
  valuesOf(file, /^[ -]*uses: *(.+)$/gm).filter((action) => !action.startsWith('./')),
);
const imageLines = ['docker-compose.yml', ...filesOf('deploy/kubernetes')].flatMap((file) =>
  valuesOf(file, /^[ -]*image: *(.+)$/gm),
);
const publicImages = imageLines.filter((image) => !image.startsWith('lectern-'));
const stages = valuesOf('Dockerfile', /^FROM \S+ AS (\S+)$/gm);
const baseImages = [...valuesOf('Dockerfile', /^FROM (\S+)/gm), ...valuesOf('Dockerfile', /--from=(\S+)/g)].filter(
  (image) => !stages.includes(image),
);

test('each GitHub action of a workflow is pinned by its commit, with its version as a comment', () => {
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});

test('all GitHub workflows, and the workflows that npm run new:subgraph writes, pin a GitHub action to the same commit', () => {
  const names = new Set(actions.map((action) => action.split('@')[0]));
  expect(new Set(actions).size).toBe(names.size);
});

test('each image in the Compose and Kubernetes files is pinned by version and digest, except those that docs/run.md names', () => {
  expect(publicImages.filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual(notPinned);
  for (const image of notPinned) expect(read('docs/run.md')).toContain(`except \`${image}\``);
});

test('the only base image of the Dockerfile is NODE_IMAGE, with an exact version and only the digest of base-image.yml', () => {
  expect(baseImages).toEqual(['${NODE_IMAGE}']);
  expect(valuesOf('Dockerfile', /^ARG NODE_IMAGE=(.*)$/gm)).toEqual([
    expect.stringMatching(/^node:24\.\d+\.\d+-bookworm-slim(?:@sha256:[0-9a-f]{64})?$/),
  ]);
});

test.each([
  ['prints', `echo sha256:${'a1'.repeat(32)}`, 0, `@sha256:${'a1'.repeat(32)}`],
  ['prints no', 'echo "no such image"', 1, ''],
  ['fails before it prints a', 'exit 1', 1, ''],
])(
  'scripts/pin-base-image.mjs pins the base image only if Docker prints its digest: Docker %s digest',
  (_, docker, status, digest) =>
    withFolder((folder) => {
      const write = (file: string, text: string) => writeFileSync(join(folder, file), text, { mode: 0o755 });
      const dockerfile = (pin: string) =>
        `ARG NODE_IMAGE=node:24.0.0-bookworm-slim${pin}\nFROM ${'${NODE_IMAGE}'} AS base\n`;
      write('docker', `#!/bin/sh\n${docker}\n`);
      write('Dockerfile', dockerfile(''));
      const script = join(repositoryRoot, 'scripts/pin-base-image.mjs');
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      const pin = () => spawnSync(process.execPath, [script], { cwd: folder, env }).status;
      expect([pin(), pin()]).toEqual([status, status]);
      expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toBe(dockerfile(digest));
    }),
);

test('Dependabot is configured to propose newer GitHub actions and newer images of Docker Compose', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: { 'package-ecosystem': string }[] };
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['github-actions', 'docker-compose']);
});
