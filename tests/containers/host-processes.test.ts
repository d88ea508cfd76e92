import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningProgram } from '@lectern/testing';
import {
  createGraphqlClient,
  findPostgres,
  findProgram,
  freePort,
  linkData,
  repositoryRoot,
  send,
  startPostgres,
  startRedis,
} from '@lectern/testing';
import { lookUpOverHttp } from '../mcp/mcp-fixture';
import { waitUntil } from '../support/processes';
import { subgraphNames } from '../support/supergraph-yaml';
import { environmentOf, readCompose } from './compose-file';
import { layOutImage } from './image-files';
import { readDockerfile } from './parse-dockerfile';
import type { RunningContainer } from './run-container';
import { containerUser, runContainer, untilReady } from './run-container';

/*
 * Tests the containers without Docker. For each image, a folder has exactly the files that the
 * Dockerfile copies into the image. The command of a service of docker-compose.yml runs in the
 * folder of its image.
 */

const dockerfile = readDockerfile();
const { services } = readCompose();
const servers = [...subgraphNames, 'gateway', 'mcp'];
const redisServer = findProgram(['redis-server'], 'redis-server');
const postgresServer = findPostgres();

const root = mkdtempSync(join(tmpdir(), 'lectern-containers-'));
const volumes = join(root, 'volumes');
const ports = new Map<string, number>();
const running = new Map<string, RunningContainer>();
let redis: RunningProgram | null = null;
let postgres: RunningProgram | null = null;
const files = new Map<string, string[]>();
let token = '';

/** The images that have the same files as another image, by the name of the image. */
const baseImages: Readonly<Record<string, string>> = { lectern: 'data' };
const folderOf = (target: string): string => join(root, baseImages[target] ?? target);

/** Creates a folder in place of a Docker volume. The user of the containers may write to it. */
function volume(...names: string[]): string {
  const folder = join(volumes, ...names);
  mkdirSync(folder, { recursive: true });
  if (containerUser.uid !== undefined) chownSync(folder, containerUser.uid, containerUser.gid);
  return folder;
}

/** Creates a volume with links to the data files of the repository, so that no test builds data. */
function dataVolume(name: string): string {
  const folder = volume(name);
  linkData(folder);
  return folder;
}

const port = (service: string): number => ports.get(service) ?? 0;
const origin = (service: string): string => `http://127.0.0.1:${port(service)}`;

/**
 * Replaces the paths of volumes and the URLs of other containers by paths and URLs of this machine.
 */
function here(text: string, data: string): string {
  const placed = text
    .replaceAll('/secrets/', `${join(volumes, 'secrets')}/`)
    .replace(/^\/data$/, data)
    .replace(/^\/supergraph\.graphql$/, join(repositoryRoot, 'supergraph.graphql'));
  return servers.reduce(
    (url, name) =>
      url.replaceAll(`//${name}:${dockerfile.environment(name)['PORT'] ?? ''}/`, `//127.0.0.1:${port(name)}/`),
    placed,
  );
}

/**
 * Runs the command of a Compose service in the folder that replaces its image, with the environment
 * variables of the image and of docker-compose.yml.
 */
function run(
  name: string,
  { data, args, env = {} }: { data: string; args?: readonly string[]; env?: Record<string, string> },
): RunningContainer {
  const service = services[name];
  const target = service?.build?.target ?? '';
  const command = args ? [...(service?.entrypoint ?? []), ...args] : (service?.command ?? dockerfile.command(target));
  const given = { ...dockerfile.environment(target), ...(service && environmentOf(service)) };
  return runContainer({
    folder: folderOf(target),
    command: command.map((each) => here(each, data)),
    // The process listens on 127.0.0.1. It uses Redis and PostgreSQL if this machine has them, and
    // otherwise memory and SQLite.
    env: {
      ...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, here(value, data)])),
      HOST: '127.0.0.1',
      DATABASE_URL: postgres?.url ?? '',
      REDIS_URL: redis?.url ?? '',
      ...env,
    },
  });
}

const filesIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

async function stop(container: RunningContainer): Promise<number | string> {
  container.child.kill('SIGTERM');
  return container.ended;
}

beforeAll(async () => {
  for (const folder of [root, volumes]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
  for (const target of dockerfile.targets.filter((each) => !(each in baseImages))) {
    mkdirSync(join(root, target));
    layOutImage(dockerfile, target, join(root, target));
    files.set(target, filesIn(join(root, target)));
  }
  for (const name of servers) ports.set(name, await freePort());
  for (const name of ['subgraphs', 'database']) volume('secrets', name);
  if (redisServer) redis = await startRedis(redisServer);
  if (postgresServer) postgres = await startPostgres(postgresServer);
});

afterAll(async () => {
  for (const { child } of running.values()) child.kill('SIGKILL');
  await Promise.all([...running.values()].map(({ ended }) => ended));
  await redis?.stop();
  await postgres?.stop();
  rmSync(root, { recursive: true, force: true });
});

test('the Compose service secrets creates the secrets of a deployment when it first runs, and keeps them when it runs again', async () => {
  const read = () =>
    ['subgraphs/lectern.env', 'database/lectern.env', 'database/password'].map((file) =>
      readFileSync(join(volumes, 'secrets', file), 'utf8'),
    );
  expect(await run('secrets', { data: '' }).ended).toBe(0);
  const made = read();
  expect(made).toEqual([
    expect.stringMatching(/^SUBGRAPH_SECRET=[0-9a-f]{64}\n$/),
    `DATABASE_URL=postgres://lectern:${made[2] ?? ''}@postgres:5432/lectern\n`,
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
  expect(await run('secrets', { data: '' }).ended).toBe(0);
  expect(read()).toEqual(made);
});

test('the Compose service data exits with 0 and says that the data files in its volume are up to date if they are', async () => {
  const job = run('data', { data: dataVolume('data') });
  expect(await job.ended).toBe(0);
  expect(job.output()).toContain('up to date');
});

test('the containers of a deployment become ready, and respond to a query with an API key that the container keys has issued', async () => {
  // The first semantic search waits until the model is loaded. On a busy machine, this may take
  // longer than the default timeouts.
  const timeouts = { SEMANTIC_TIMEOUT_MS: '60000', SUBGRAPH_TIMEOUT_MS: '60000' };
  for (const name of servers) {
    const env = { PORT: String(port(name)), ...timeouts };
    running.set(name, run(name, { data: name === 'gateway' ? volume('gateway') : join(volumes, 'data'), env }));
  }
  for (const [name, container] of running) await untilReady(container, origin(name));

  const issued = run('keys', {
    data: volume('gateway'),
    args: ['issue', '--environment', 'live', '--email', 'reader@example.org', '--name', 'A reader', '--json'],
  });
  expect(await issued.ended).toBe(0);
  ({ token } = JSON.parse(issued.output()) as { token: string });
  const answer = await createGraphqlClient(
    `${origin('gateway')}/graphql`,
    token,
  )(
    '{ verse(book: "JHN", chapter: 11, verse: 35, translation: "eng-kjv") { text } search(query: "wept", limit: 1) { id } semanticSearch(query: "perdón", limit: 1) { verse { id } } strongs(number: "G26") { number } }',
  );
  expect(answer).toEqual({
    data: {
      verse: { text: 'Jesus wept.' },
      search: [{ id: expect.any(String) }],
      semanticSearch: [{ verse: { id: expect.any(String) } }],
      strongs: { number: 'G26' },
    },
  });
});

test('the container of the MCP server responds to a tool call that has an API key', async () => {
  const { text } = await lookUpOverHttp(`${origin('mcp')}/mcp`, token);
  expect(text).toContain('Jesus wept.');
});

test('the container of the text subgraph responds 401 to a request without a gateway token', async () => {
  expect(
    (
      await send(`${origin('text')}/graphql`, {
        headers: ['Content-Type', 'application/json'],
        body: '{"query":"{ __typename }"}',
      })
    ).status,
  ).toBe(401);
});

test.each(servers)(
  'the health check of the %s container passes if the service is ready, and fails if nothing listens on its port',
  async (name) => {
    const check = (at: number) =>
      runContainer({ folder: folderOf(name), command: dockerfile.healthcheck(name) ?? [], env: { PORT: String(at) } })
        .ended;
    expect([await check(port(name)), await check(await freePort())]).toEqual([0, 1]);
  },
);

test('each container exits with 0 on SIGTERM, and writes only to its volumes, where only its owner reads key-pepper', async () => {
  const ended = await Promise.all(
    [...running].map(async ([name, container]) => ({ name, ended: await stop(container) })),
  );
  expect(ended).toEqual([...running.keys()].map((name) => ({ name, ended: 0 })));
  for (const [target, laidOut] of files) expect(filesIn(join(root, target))).toEqual(laidOut);
  // The pepper is the secret with which the gateways hash API keys. Only its owner may read the
  // file.
  expect(statSync(join(volumes, 'gateway', 'key-pepper')).mode & 0o077).toBe(0);
});

test('the container of the embedded service starts, prints an API key and responds to a query', async () => {
  const at = await freePort();
  const lectern = runContainer({
    folder: join(root, 'data'),
    command: dockerfile.command('lectern'),
    env: {
      ...dockerfile.environment('lectern'),
      LECTERN_DATA: dataVolume('lectern'),
      HOST: '127.0.0.1',
      PORT: String(at),
    },
  });
  running.set('lectern', lectern);
  await untilReady(lectern, `http://127.0.0.1:${at}`);
  await waitUntil(() => lectern.output().includes('curl'));
  const [token = ''] = /svc_test_[A-Za-z0-9_-]{49}/.exec(lectern.output()) ?? [];
  expect(
    await createGraphqlClient(`http://127.0.0.1:${at}/graphql`, token)('{ strongs(number: "G26") { number } }'),
  ).toEqual({
    data: { strongs: { number: 'G26' } },
  });
  expect(await stop(lectern)).toBe(0);
});
