import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitForPort } from '@lectern/testing';
import Redis from 'ioredis';
import { waitUntil } from './processes';

interface RedisNode {
  readonly port: number;
  kill(): Promise<void>;
}

/** Redis servers that a client reaches with one URL, such as the nodes of a Redis Cluster. */
export interface RedisServers {
  readonly url: string;
  readonly nodes: readonly RedisNode[];
  stop(): Promise<void>;
}

async function startNode(program: string, port: number, args: readonly string[]): Promise<RedisNode> {
  const child = spawn(program, args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await waitForPort(port);
  return {
    port,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * Creates a temporary folder for several Redis servers. `plain` creates the folder of one server,
 * and returns the arguments with which this server starts without persistence. `stop` returns a
 * function that kills the servers and removes all folders.
 */
function createServersFolder() {
  const root = mkdtempSync(join(tmpdir(), 'lectern-redis-'));
  const plain = (port: number) => {
    const folder = join(root, String(port));
    mkdirSync(folder);
    return ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  };
  const stop = (nodes: readonly RedisNode[]) => async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    rmSync(root, { recursive: true, force: true });
  };
  return { root, plain, stop };
}

/** Starts a Redis Cluster of three masters, each with a third of the hash slots. */
export async function startRedisCluster({ server, cli }: { server: string; cli: string }): Promise<RedisServers> {
  const { plain, stop } = createServersFolder();
  const nodes: RedisNode[] = [];
  for (let count = 0; count < 3; count += 1) {
    const port = await freePort();
    nodes.push(
      await startNode(server, port, [
        ...plain(port),
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(await freePort()),
        '--cluster-node-timeout',
        '1000',
        '--cluster-require-full-coverage',
        'no',
      ]),
    );
  }
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const { status, stdout } = spawnSync(cli, ['--cluster', 'create', ...hosts, '--cluster-yes'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`redis-cli could not create the cluster:\n${stdout}`);
  // For some time after the start, a node rejects requests, and its CLUSTER INFO says why:
  // `cluster_state:fail`.
  for (const { port } of nodes) {
    const client = new Redis(port, '127.0.0.1');
    await waitUntil(async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    client.disconnect();
  }
  return { url: `redis+cluster://${hosts.slice(0, 2).join(',')}`, nodes, stop: stop(nodes) };
}

const masterName = 'lectern';

/** Starts a Redis master, its replica and a Redis Sentinel. `nodes` has them in this order. */
export async function startRedisSentinel({ server }: { server: string }): Promise<RedisServers> {
  const { root, plain, stop } = createServersFolder();
  const [masterPort, replicaPort, sentinelPort] = [await freePort(), await freePort(), await freePort()];
  const master = await startNode(server, masterPort, plain(masterPort));
  const replica = await startNode(server, replicaPort, [
    ...plain(replicaPort),
    '--replicaof',
    `127.0.0.1 ${masterPort}`,
  ]);
  const file = join(root, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `port ${sentinelPort}`,
      'bind 127.0.0.1',
      `dir ${root}`,
      `sentinel monitor ${masterName} 127.0.0.1 ${masterPort} 1`,
      `sentinel down-after-milliseconds ${masterName} 1000`,
      `sentinel failover-timeout ${masterName} 6000`,
      '',
    ].join('\n'),
  );
  const nodes = [master, replica, await startNode(server, sentinelPort, [file, '--sentinel'])];
  const client = new Redis(sentinelPort, '127.0.0.1');
  // The sentinel polls the master, and so learns after a while that the master has a replica.
  await waitUntil(async () =>
    String(await client.call('SENTINEL', 'replicas', masterName)).includes('master-link-status,ok'),
  );
  client.disconnect();
  return { url: `redis+sentinel://127.0.0.1:${sentinelPort}/${masterName}`, nodes, stop: stop(nodes) };
}
