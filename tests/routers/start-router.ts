import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphqlClient } from '@lectern/testing';
import { createGraphqlClient, freePort, repositoryRoot } from '@lectern/testing';
import { waitUntil } from '../support/processes';
import { readDocumentationExamples } from '../support/read-documentation-examples';

export interface RouterProgram {
  readonly name: string;
  /** The environment variable that has the path of the router's program. */
  readonly setting: string;
  /** The name of the router's configuration file. docs/other-routers.md has the content of the file. */
  readonly configFile: string;
  readonly command: (paths: { supergraph: string; config: string; port: number }) => {
    args: string[];
    env: Record<string, string>;
  };
}

export const routerPrograms: readonly RouterProgram[] = [
  {
    name: 'Apollo Router',
    setting: 'APOLLO_ROUTER',
    configFile: 'apollo-router.yaml',
    command: ({ supergraph, config, port }) => ({
      args: ['--supergraph', supergraph, '--config', config, '--anonymous-telemetry-disabled', '--log', 'error'],
      env: { APOLLO_ROUTER_LISTEN_ADDRESS: `127.0.0.1:${port}` },
    }),
  },
  {
    name: 'Hive Router',
    setting: 'HIVE_ROUTER',
    configFile: 'hive-router.yaml',
    command: ({ supergraph, config, port }) => ({
      args: [],
      env: {
        ROUTER_CONFIG_FILE_PATH: config,
        SUPERGRAPH_FILE_PATH: supergraph,
        HOST: '127.0.0.1',
        PORT: String(port),
        LOG_LEVEL: 'error',
        HIVE_USAGE_REPORTING_ENABLED: 'false',
      },
    }),
  },
];

/** Returns supergraph.graphql with the URL of each subgraph replaced by its URL in `urls`. */
export const supergraphWithUrls = (urls: ReadonlyMap<string, string>): string =>
  readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8').replace(
    /(@join__graph\(name: "(\w+)", url: )"[^"]*"/g,
    (_, before: string, name: string) => `${before}${JSON.stringify(urls.get(name))}`,
  );

/**
 * Starts a router with its configuration from docs/other-routers.md, to which `moreConfig` is added.
 * Resolves when the router responds. Rejects with the router's output if the router exits.
 */
export async function startRouter(
  program: string,
  { configFile, command }: RouterProgram,
  { supergraph, secret, moreConfig = '' }: { supergraph: string; secret: string; moreConfig?: string },
): Promise<{ origin: string; client: GraphqlClient; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-router-'));
  const port = await freePort();
  const paths = { supergraph: join(folder, 'supergraph.graphql'), config: join(folder, configFile), port };
  const documented = readDocumentationExamples('docs/other-routers.md').find(({ file }) => file === configFile);
  writeFileSync(paths.supergraph, supergraph);
  writeFileSync(paths.config, `${documented?.code ?? ''}${moreConfig}`);
  const { args, env } = command(paths);
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ROUTER_SECRET: secret, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const origin = `http://127.0.0.1:${port}`;
  const client = createGraphqlClient(`${origin}/graphql`, 'no key');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`${program} exited:\n${output}`);
    const response = await client('{ __typename }').catch(() => null);
    return response?.data !== undefined;
  });
  return { origin, client, close };
}
