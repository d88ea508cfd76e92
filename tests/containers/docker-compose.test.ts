import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keysSettings } from '@lectern/keys';
import { repositoryRoot } from '@lectern/testing';
import { parse } from 'yaml';
import { subgraphNames } from '../support/supergraph-yaml';
import type { ComposeService } from './compose-file';
import { environmentOf, readCompose } from './compose-file';
import { readDockerfile } from './parse-dockerfile';
import { exampleOf, maxStopSeconds, parseEnvironment, subgraphUrls } from './process-settings';

const dockerfile = readDockerfile();
const { services, networks, volumes } = readCompose();
const named = Object.entries(services);
const own = named.filter(([, { build }]) => build);
const subgraphs = subgraphNames;
const gateways = ['gateway', 'gateway-test'];
/** The processes of Lectern that run only in profiles of their own. */
const optional = ['mcp'];
const serviceOf = (name: string): ComposeService => services[name] ?? { image: '' };
/**
 * Returns whether a mount is a file or folder of the repository that the container cannot change.
 */
const isReadOnlyFile = (mount: string): boolean => {
  const [path = '', , mode] = mount.split(':');
  return /^\.\/(deploy\/|supergraph\.graphql$)/.test(path) && mode === 'ro' && existsSync(join(repositoryRoot, path));
};
const seconds = (text = '0s') => Number(/^(\d+)s$/.exec(text)?.[1]);
const networksOf = (name: string) => serviceOf(name).networks ?? [];

test('docker-compose.yml starts all services of a deployment, with two replicas of the gateway for live API keys', () => {
  expect(
    named
      .filter(([, { profiles }]) => !profiles)
      .map(([name]) => name)
      .sort(),
  ).toEqual([...subgraphs, ...gateways, 'data', 'postgres', 'redis', 'secrets'].sort());
  expect(serviceOf('gateway').deploy?.replicas).toBe(2);
  const [, first = '', last = ''] = /^127\.0\.0\.1:(\d+)-(\d+):4000$/.exec(serviceOf('gateway').ports?.[0] ?? '') ?? [];
  expect(Number(last) - Number(first) + 1).toBe(2);
});

test('the live and test gateways of docker-compose.yml differ only in environment, replicas, ports and PUBLIC_URL', () => {
  const [live, other] = gateways.map((name) => {
    const { environment: { LECTERN_ENVIRONMENT: environment, ...settings } = {}, ...service } = serviceOf(name);
    return {
      environment,
      shared: { ...service, deploy: null, ports: null, environment: { ...settings, PUBLIC_URL: '' } },
    };
  });
  expect([live?.environment, other?.environment]).toEqual(['live', 'test']);
  expect(other?.shared).toEqual(live?.shared);
});

test.each(own)('the Compose service %s uses an image that the Dockerfile builds', (_, { build, image }) => {
  expect(dockerfile.targets).toContain(build?.target);
  expect(image).toBe(`lectern-${build?.target ?? ''}`);
});

test.each(named.filter(([, { build }]) => !build))(
  'the Compose service %s pins its image to a full version tag',
  (_, { image }) => {
    expect(image).toMatch(/^([a-z]+:\d+\.\d+(\.\d+)?-bookworm|[a-z]+\/[a-z]+:v?\d+\.\d+\.\d+)(@|$)/);
  },
);

test.each(named)(
  'the Compose service %s has minimal privileges, a read-only file system, and only volumes and read-only mounts',
  (name, { read_only, init, cap_drop, security_opt, user, network_mode, volumes: mounts = [], build }) => {
    expect({ read_only, init, cap_drop, security_opt }).toEqual({
      read_only: true,
      init: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    const [uid] = (user ?? dockerfile.last(build?.target ?? '', 'USER') ?? '').split(':');
    // The service `secrets` must run as root, because its volumes belong to root. Only `secrets`
    // and `data` have no network.
    expect([Number(uid) > 0, network_mode]).toEqual(
      name === 'secrets' ? [false, 'none'] : [true, name === 'data' ? 'none' : undefined],
    );
    expect(mounts.filter((mount) => !((mount.split(':')[0] ?? '') in volumes) && !isReadOnlyFile(mount))).toEqual([]);
  },
);

test.each([...gateways, ...subgraphs, ...optional])(
  'the environment of the Compose service %s has only valid settings',
  (name) => {
    const target = serviceOf(name).build?.target ?? '';
    const env = { ...dockerfile.environment(target), ...environmentOf(serviceOf(name)) };
    expect(parseEnvironment(target, env)).toMatchObject({ PORT: Number(dockerfile.last(target, 'EXPOSE')) });
    // Checks the settings that .env may set, with example values.
    expect(() =>
      parseEnvironment(
        target,
        Object.fromEntries(
          Object.keys(serviceOf(name).environment ?? {})
            .filter((key) => !(key in env))
            .map((key) => [key, exampleOf(key)]),
        ),
      ),
    ).not.toThrow();
  },
);

test('the environment of the Compose service keys has only settings that the keys command reads', () => {
  expect(
    Object.keys(serviceOf('keys').environment ?? {}).filter((name) => !(name in keysSettings) && name !== 'REDIS_URL'),
  ).toEqual([]);
});

test('with the profile observability, Prometheus scrapes every process, and all send their traces to the collector', () => {
  const env = Object.fromEntries(
    readFileSync(join(repositoryRoot, 'deploy/observability/compose.env'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('=') && !line.startsWith('#'))
      .map((line) => line.split('=', 2)),
  ) as Record<string, string>;
  const { scrape_configs: jobs } = parse(
    readFileSync(join(repositoryRoot, 'deploy/observability/prometheus/prometheus.yml'), 'utf8'),
  ) as { scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[] };
  expect(jobs.flatMap(({ dns_sd_configs: targets }) => targets.flatMap(({ names }) => names))).toEqual([
    ...gateways,
    ...subgraphs,
    ...optional,
  ]);
  expect(jobs.flatMap(({ dns_sd_configs: targets }) => targets.map(({ port }) => port))).toEqual([
    Number(env['METRICS_PORT']),
  ]);
  const collector = new URL(env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '').hostname;
  const started = named.filter(([, { profiles }]) => profiles?.includes(env['COMPOSE_PROFILES'] ?? ''));
  expect(started.map(([name]) => name).sort()).toEqual(['grafana', collector, 'prometheus']);
  for (const name of [...gateways, ...subgraphs]) {
    expect(serviceOf(name).environment).toMatchObject({
      METRICS_PORT: null,
      METRICS_HOST: '0.0.0.0',
      OTEL_EXPORTER_OTLP_ENDPOINT: null,
    });
    for (const other of [collector, 'prometheus']) expect(networksOf(name)).toContain(networksOf(other)[0]);
  }
  for (const name of optional) {
    expect(serviceOf(name).environment).toMatchObject({ METRICS_PORT: null, METRICS_HOST: '0.0.0.0' });
    expect(networksOf(name).filter((network) => networksOf('prometheus').includes(network))).toHaveLength(1);
  }
});

test('docker-compose.yml sets no value of an environment variable that holds a secret', () => {
  const given = named
    .flatMap(([, { environment = {} }]) => Object.entries(environment))
    .filter(([name]) => /SECRET|PEPPER|PASSWORD$|SMTP_URL|DATABASE_URL/.test(name));
  expect(given.filter(([, value]) => value !== null)).toEqual([]);
});

test('SUBGRAPH_URLS of the Compose gateway has the host and port of each subgraph, with which it shares a network', () => {
  const urls = subgraphUrls(environmentOf(serviceOf('gateway'))['SUBGRAPH_URLS'] ?? '');
  expect(urls.map(({ name, url }) => [name, url.hostname, url.port, url.pathname])).toEqual(
    subgraphs.map((name) => [name, name, dockerfile.last(name, 'EXPOSE'), '/graphql']),
  );
  for (const name of [...subgraphs, 'redis', 'postgres'])
    expect(networksOf(name).filter((network) => networksOf('gateway').includes(network))).toHaveLength(1);
});

test.each(optional)('the optional Compose service %s runs only in the profile of the same name', (name) => {
  expect(serviceOf(name).profiles).toEqual([name]);
});

test('in docker-compose.yml, the MCP server reaches the gateway by LECTERN_URL', () => {
  expect(environmentOf(serviceOf('mcp'))['LECTERN_URL']).toBe(
    `http://gateway:${dockerfile.last('gateway', 'EXPOSE')}/graphql`,
  );
  expect(networksOf('mcp').some((network) => networksOf('gateway').includes(network))).toBe(true);
});

test('in docker-compose.yml only public services publish ports, and subgraphs reach neither PostgreSQL nor Redis', () => {
  for (const [name, { ports }] of named) {
    const open = networksOf(name).filter((network) => networks[network]?.internal !== true);
    expect({ name, published: (ports ?? []).length > 0, open }).toEqual({
      name,
      published: [...gateways, 'text', 'mcp', 'grafana'].includes(name),
      open: name === 'text' ? ['downloads'] : [...gateways, 'mcp', 'keys', 'grafana'].includes(name) ? ['outside'] : [],
    });
  }
  for (const name of subgraphs)
    expect(networksOf(name)).toEqual(name === 'text' ? ['downloads', 'subgraphs'] : ['subgraphs']);
  // Clients download offline packages from the text subgraph.
  const { OFFLINE_PORT: offlinePort } = dockerfile.environment('text');
  expect(serviceOf('text').ports).toEqual([`127.0.0.1:${offlinePort}:${offlinePort}`]);
  for (const name of ['text', ...gateways])
    expect(environmentOf(serviceOf(name))['OFFLINE_BASE_URL']).toBe(`http://127.0.0.1:${offlinePort}`);
  for (const name of ['postgres', 'redis']) expect(networksOf(name)).not.toContain('subgraphs');
});

test('each depends_on condition in docker-compose.yml refers to a service that can fulfil the condition', () => {
  for (const [, { depends_on = {} }] of named) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const { restart, healthcheck, build } = serviceOf(name);
      const ends = condition === 'service_completed_successfully' && restart === undefined;
      const getsWell =
        condition === 'service_healthy' && Boolean(healthcheck?.test ?? dockerfile.healthcheck(build?.target ?? ''));
      expect({ name, comes: ends || getsWell }).toEqual({ name, comes: true });
    }
  }
});

test.each(named.filter(([, { restart }]) => restart))(
  'the Compose service %s restarts after a crash, and its stop_grace_period exceeds the longest time of a stop',
  (_, { restart, stop_grace_period }) => {
    expect(restart).toBe('unless-stopped');
    expect(seconds(stop_grace_period)).toBeGreaterThan(maxStopSeconds());
  },
);

test('TimeoutStopSec of the systemd unit in docs/run.md exceeds the longest time that a Lectern process needs to stop', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/run.md'), 'utf8');
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(page)?.[1])).toBeGreaterThan(maxStopSeconds());
});

test.each(own.filter(([, { command }]) => command?.[1]?.startsWith('--env-file')))(
  "the Compose service %s runs its image's command and reads secrets from read-only volumes",
  (_, { command = [], build, volumes: mounts = [] }) => {
    expect([command[0], command.at(-1)]).toEqual(dockerfile.command(build?.target ?? ''));
    const files = command
      .slice(1, -1)
      .map((option) => /^--env-file=(\/secrets\/[a-z]+)\/lectern\.env$/.exec(option)?.[1] ?? option);
    expect(files.filter((folder) => !mounts.some((mount) => mount.endsWith(`:${folder}:ro`)))).toEqual([]);
  },
);
