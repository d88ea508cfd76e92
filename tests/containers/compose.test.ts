import { keysSettings } from '@lectern/keys';
import type { ComposeService } from './compose-file';
import { environmentOf, readCompose } from './compose-file';
import { drainSeconds, givenTo, readAs, subgraphUrls } from './container-settings';
import { readDockerfile } from './dockerfile';

const dockerfile = readDockerfile();
const { services, networks, volumes } = readCompose();
const named = Object.entries(services);
const own = named.filter(([, { build }]) => build);
const subgraphs = ['text', 'search', 'concordance'];
const serviceOf = (name: string): ComposeService => services[name] ?? { image: '' };
const seconds = (text = '0s') => Number(/^(\d+)s$/.exec(text)?.[1]);
const networksOf = (name: string) => serviceOf(name).networks ?? [];

test('`docker compose up` starts every part, and its gateway twice', () => {
  expect(
    named
      .filter(([, { profiles }]) => !profiles)
      .map(([name]) => name)
      .sort(),
  ).toEqual(['concordance', 'data', 'gateway', 'postgres', 'redis', 'search', 'secrets', 'text']);
  expect(serviceOf('gateway').deploy?.replicas).toBe(2);
  const [, first = '', last = ''] = /^127\.0\.0\.1:(\d+)-(\d+):4000$/.exec(serviceOf('gateway').ports?.[0] ?? '') ?? [];
  expect(Number(last) - Number(first) + 1).toBe(2);
});

test.each(own)('the image of %s is one that the Dockerfile makes, under one name', (_, { build, image }) => {
  expect(dockerfile.targets).toContain(build?.target);
  expect(image).toBe(`lectern-${build?.target ?? ''}`);
});

test.each(named.filter(([, { build }]) => !build))('the image of %s is named by its whole version', (_, { image }) => {
  expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?-bookworm$/);
});

test.each(named)(
  '%s has no right that it does not need, and cannot write into its image',
  (name, { read_only, init, cap_drop, security_opt, user, network_mode, volumes: mounts = [], build }) => {
    expect({ read_only, init, cap_drop, security_opt }).toEqual({
      read_only: true,
      init: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    const [uid] = (user ?? dockerfile.last(build?.target ?? '', 'USER') ?? '').split(':');
    // Who makes the secrets owns them, and is on no network.
    expect([Number(uid) > 0, network_mode]).toEqual(
      name === 'secrets' ? [false, 'none'] : [true, name === 'data' ? 'none' : undefined],
    );
    expect(mounts.map((mount) => mount.split(':')[0] ?? '').filter((volume) => !(volume in volumes))).toEqual([]);
  },
);

test.each(['gateway', ...subgraphs])('what %s is told makes sense to it', (name) => {
  const env = { ...dockerfile.environment(name), ...environmentOf(serviceOf(name)) };
  expect(readAs(name, env)).toMatchObject({ PORT: Number(dockerfile.last(name, 'EXPOSE')) });
  // Those that .env may name.
  expect(() =>
    readAs(
      name,
      Object.fromEntries(
        Object.keys(serviceOf(name).environment ?? {})
          .filter((key) => !(key in env))
          .map((key) => [key, givenTo(key)]),
      ),
    ),
  ).not.toThrow();
});

test('the keys command is told what it reads', () => {
  expect(Object.keys(serviceOf('keys').environment ?? {}).filter((name) => !(name in keysSettings))).toEqual([]);
});

test('no secret stands in the file', () => {
  const given = named
    .flatMap(([, { environment = {} }]) => Object.entries(environment))
    .filter(([name]) => /SECRET|PEPPER|PASSWORD$|SMTP_URL|DATABASE_URL/.test(name));
  expect(given.filter(([, value]) => value !== null)).toEqual([]);
});

test('the gateway asks each subgraph where it listens, on a network that both are on', () => {
  const urls = subgraphUrls(environmentOf(serviceOf('gateway'))['SUBGRAPH_URLS'] ?? '');
  expect(urls.map(({ name, url }) => [name, url.hostname, url.port, url.pathname])).toEqual(
    subgraphs.map((name) => [name, name, dockerfile.last(name, 'EXPOSE'), '/graphql']),
  );
  for (const name of [...subgraphs, 'redis', 'postgres'])
    expect(networksOf(name).filter((network) => networksOf('gateway').includes(network))).toHaveLength(1);
});

test('only the gateway can be reached from outside, and subgraphs reach no store', () => {
  for (const [name, { ports }] of named) {
    const closed = networksOf(name).filter((network) => networks[network]?.internal !== true);
    expect({ name, published: (ports ?? []).length > 0, open: closed }).toEqual({
      name,
      published: name === 'gateway',
      open: ['gateway', 'keys'].includes(name) ? ['outside'] : [],
    });
  }
  for (const name of subgraphs) expect(networksOf(name)).toEqual(['subgraphs']);
});

test('whoever waits for another waits for something that comes', () => {
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
  '%s is started again when it dies, and has time to finish when it is stopped',
  (_, { restart, stop_grace_period }) => {
    expect(restart).toBe('unless-stopped');
    expect(seconds(stop_grace_period)).toBeGreaterThan(drainSeconds() + 5);
  },
);

test.each(own.filter(([, { command }]) => command?.[1]?.startsWith('--env-file')))(
  '%s runs the file that its image runs, with secrets from volumes that it mounts to read',
  (_, { command = [], build, volumes: mounts = [] }) => {
    expect([command[0], command.at(-1)]).toEqual(dockerfile.command(build?.target ?? ''));
    const files = command
      .slice(1, -1)
      .map((option) => /^--env-file=(\/secrets\/[a-z]+)\/lectern\.env$/.exec(option)?.[1] ?? option);
    expect(files.filter((folder) => !mounts.some((mount) => mount.endsWith(`:${folder}:ro`)))).toEqual([]);
  },
);
