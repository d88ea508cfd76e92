import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { parse } from 'yaml';
import type { SchemaTree } from '../composition/check-schema-fixture';
import { textSchema, withSchemaTree } from '../composition/check-schema-fixture';
import { waitUntil } from '../support/processes';
import { openRegistryGateway } from '../support/registry-gateway';
import { startSchemaRegistry } from '../support/schema-registry';
import { startScriptRunner } from '../support/script-runner';
import { subgraphNames } from '../support/supergraph-yaml';

/*
 * Runs the shell steps of the GitHub workflows deliver.yml and rollback-supergraph.yml without
 * GitHub and without Docker. A folder is the schema registry. A program named `npm` in a
 * temporary folder runs the scripts of package.json without installing packages first.
 */

interface Job {
  env?: Record<string, string>;
  steps: { run?: string; env?: Record<string, string> }[];
}

const readJob = (file: string, name: string): Job => {
  const workflow = parse(readFileSync(join(repositoryRoot, '.github/workflows', file), 'utf8')) as {
    jobs: Record<string, Job>;
  };
  return workflow.jobs[name] ?? { steps: [] };
};

/**
 * Replaces each expression such as `${{ vars.NAME }}` by its value in `values`. A variable or
 * secret without a value becomes empty, as on GitHub.
 */
const resolve = (env: Record<string, string> = {}, values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => values[expression] ?? ''),
    ]),
  );

const npmWithoutInstalling = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const [, script, , ...args] = process.argv.slice(2);
const { scripts } = require(${JSON.stringify(join(repositoryRoot, 'package.json'))});
const file = /(\\S+[.]mjs)$/.exec(scripts[script])[1];
process.exit(spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' }).status ?? 1);
`;

const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
const runner = startScriptRunner();
beforeAll(() => {
  writeFileSync(join(folder, 'npm'), npmWithoutInstalling);
  chmodSync(join(folder, 'npm'), 0o755);
});
afterAll(async () => {
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs the shell steps of a job in the folder `cwd`, as GitHub does. Returns the output of each
 * step.
 */
async function runSteps(cwd: string, job: Job, values: Record<string, string>): Promise<string[]> {
  const outputs: string[] = [];
  for (const { run, env } of job.steps) {
    if (run === undefined) continue;
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', run], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        GITHUB_OUTPUT: join(folder, 'output'),
        ...resolve(job.env, values),
        ...resolve(env, values),
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    const status = await new Promise((done) => child.once('close', done));
    if (status !== 0) throw new Error(`${run}: exit status ${String(status)}\n${output}`);
    outputs.push(output);
  }
  return outputs;
}

/** Calls `use` with a folder that has a copy of the schema files and a link to `scripts`. */
const withCheckout = (use: (tree: SchemaTree) => Promise<void>): Promise<void> =>
  withSchemaTree(runner, async (tree) => {
    symlinkSync(join(repositoryRoot, 'scripts'), join(tree.folder, 'scripts'));
    await use(tree);
  });
const valuesFor = (registry: string) => ({
  'vars.SCHEMA_REGISTRY': registry,
  'secrets.SCHEMA_REGISTRY_TOKEN': 'a-token',
  'inputs.service': 'text',
});

test('a gateway serves a new field after the workflow deliver.yml, and no longer after rollback-supergraph.yml', () =>
  withCheckout(async (tree) => {
    const registry = await startSchemaRegistry();
    const gateway = await openRegistryGateway(registry, { copyFolder: folder });
    const values = valuesFor(registry.folder);
    const schemaJob = readJob('deliver.yml', 'schema');
    const servesField = async () => (await gateway.get('/schema.graphql')).text.includes('  added: Int');
    try {
      // The registry is empty, so the first run publishes the schemas of all subgraphs. On GitHub,
      // the workflow publishes the schema of one subgraph.
      const all = { ...schemaJob, steps: [{ run: `npm run publish:schema -- ${subgraphNames.join(' ')}` }] };
      await runSteps(tree.folder, all, values);
      expect(registry.read('supergraph.graphql')).toContain('@join__graph(name: "study"');
      await waitUntil(async () => (await gateway.ready()).status === 200);
      expect(await servesField()).toBe(false);

      tree.edit(textSchema, 'type Query {\n', 'type Query {\n  "A field of a test."\n  added: Int\n\n');
      const [checked, published] = await runSteps(tree.folder, schemaJob, values);
      expect([checked, published]).toEqual([
        expect.stringContaining('text 0.1.0: can be published'),
        expect.stringContaining('published text 0.1.0 at '),
      ]);
      await waitUntil(servesField);

      const [rolledBack] = await runSteps(tree.folder, readJob('rollback-supergraph.yml', 'rollback'), values);
      expect(rolledBack).toContain('published the schemas of ');
      await waitUntil(async () => !(await servesField()));
    } finally {
      await gateway.close();
      registry.close();
    }
  }));

test('the workflow deliver.yml sends SCHEMA_REGISTRY_TOKEN to the git server of the registry, and does not print it', () =>
  withCheckout(async (tree) => {
    const received = new Set<string | undefined>();
    const server = createServer((request, response) => {
      const { authorization } = request.headers;
      received.add(authorization);
      response.writeHead(authorization === undefined ? 401 : 403, { 'www-authenticate': 'Basic realm="git"' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `git+http://127.0.0.1:${(server.address() as AddressInfo).port}/schemas.git#main:lectern`;
    const failed = await runSteps(tree.folder, readJob('deliver.yml', 'schema'), valuesFor(url)).catch(String);
    server.close();
    expect(failed).toContain('git clone failed');
    expect(failed).not.toContain('a-token');
    const credentials = Buffer.from('x-access-token:a-token').toString('base64');
    expect([...received]).toEqual([undefined, `Basic ${credentials}`]);
  }));

test('the job `image` of the GitHub workflow deliver.yml outputs the version in package.json of the delivered service', () =>
  withCheckout(async (tree) => {
    await runSteps(tree.folder, readJob('deliver.yml', 'image'), { 'inputs.service': 'text' });
    const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'services/text/package.json'), 'utf8')) as {
      version: string;
    };
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe(`version=${version}\n`);
  }));
