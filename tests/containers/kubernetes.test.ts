import { dataDir } from '@lectern/testing';
import { drainSeconds, givenTo, readAs, subgraphUrls } from './container-settings';
import { readDockerfile } from './dockerfile';
import { matches } from './image';
import type { Container, PolicyRule } from './kubernetes-objects';
import { readManifests, selects } from './kubernetes-objects';

const dockerfile = readDockerfile();
const { all, files, kinds, kustomization } = readManifests();
const deployments = all('Deployment').map(({ metadata: { name }, spec }) => {
  const pod = spec.template.spec;
  const [container] = pod.containers;
  if (!container) throw new Error(`${name} has no container`);
  return { name, spec, labels: spec.template.metadata.labels, pod, container };
});
const subgraphs = ['text', 'search', 'concordance'];
const configMaps = new Map(all('ConfigMap').map(({ metadata: { name }, data }) => [name, data]));
const secrets = new Map(all('Secret').map(({ metadata: { name }, stringData }) => [name, stringData]));
const portOf = ({ ports = [] }: Container, name: string) => ports.find((port) => port.name === name)?.containerPort;
const settingsAt = ({ env = [], envFrom = [] }: Container): Record<string, string> => ({
  ...(Object.assign({}, ...envFrom.map(({ configMapRef }) => configMaps.get(configMapRef.name))) as Record<
    string,
    string
  >),
  ...Object.fromEntries(env.map(({ name, value, valueFrom }) => [name, valueFrom ? givenTo(name) : (value ?? '')])),
});
/** Those deployments whose pods a selector finds. */
const found = (selector: Parameters<typeof selects>[0]) =>
  deployments.filter(({ labels }) => selects(selector, labels)).map(({ name }) => name);

test('kustomization.yaml names every file beside it, and a version for every image', () => {
  expect([...kustomization.resources].sort()).toEqual(files);
  const used = deployments.flatMap(({ pod }) =>
    [...(pod.initContainers ?? []), ...pod.containers].map(({ image }) => image),
  );
  expect(kustomization.images.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort());
  expect(
    kustomization.images
      .map(({ name }) => name.replace('lectern-', ''))
      .filter((target) => !dockerfile.targets.includes(target)),
  ).toEqual([]);
  // One version of them all: the data of one is not that of another.
  expect(new Set(kustomization.images.map(({ newTag }) => newTag)).size).toBe(1);
});

test('there are the kinds that a deployment of this sort has', () => {
  expect(kinds).toEqual([
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Namespace',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Secret',
    'Service',
  ]);
  expect(deployments.map(({ name }) => name).sort()).toEqual(['concordance', 'gateway', 'search', 'text']);
});

describe.each(deployments)('the deployment $name', ({ name, spec, labels, pod, container }) => {
  test('runs its image, selects its own pods and no other, and has a service, a budget and an autoscaler from two replicas on', () => {
    expect([container.image, container.command]).toEqual([`lectern-${name}`, undefined]);
    expect([found(spec.selector), selects(spec.selector, labels)]).toEqual([[name], true]);
    const service = all('Service').find(({ metadata }) => metadata.name === name);
    expect(found({ matchLabels: service?.spec.selector ?? {} })).toEqual([name]);
    for (const { targetPort } of service?.spec.ports ?? [])
      expect(portOf(container, targetPort)).toBe(Number(dockerfile.last(name, 'EXPOSE')));
    const budget = all('PodDisruptionBudget').find(({ metadata }) => metadata.name === name);
    expect(found(budget?.spec.selector ?? {})).toEqual([name]);
    const scaler = all('HorizontalPodAutoscaler').find(
      ({ spec: { scaleTargetRef } }) => scaleTargetRef.kind === 'Deployment' && scaleTargetRef.name === name,
    );
    expect(scaler?.spec.minReplicas).toBeGreaterThanOrEqual(2);
    // Said twice, each apply would undo what the autoscaler has done.
    expect(spec.replicas).toBeUndefined();
  });

  test('is told what makes sense to it', () => {
    const config = readAs(name, { ...dockerfile.environment(name), ...settingsAt(container) });
    expect([config['HOST'], config['PORT'], config['METRICS_HOST'], config['METRICS_PORT']]).toEqual([
      '0.0.0.0',
      portOf(container, 'http'),
      '0.0.0.0',
      portOf(container, 'metrics'),
    ]);
  });

  test('takes its secrets from the one that the example describes, each by its own name', () => {
    const references = (container.env ?? []).flatMap(({ name: variable, valueFrom }) =>
      valueFrom ? [{ variable, ...valueFrom.secretKeyRef }] : [],
    );
    expect(references.map(({ variable }) => variable)).toContain('SUBGRAPH_SECRET');
    expect(
      references.filter(
        (reference) => reference.key !== reference.variable || secrets.get(reference.name)?.[reference.key] !== '',
      ),
    ).toEqual([]);
    expect(references.length > 1).toBe(name === 'gateway');
  });

  test('is asked what it answers: whether it lives, and whether it takes requests', () => {
    const { startupProbe, readinessProbe, livenessProbe } = container;
    expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)).toEqual([
      { path: '/ready', port: 'http' },
      { path: '/ready', port: 'http' },
      { path: '/health', port: 'http' },
    ]);
    expect((startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0)).toBeGreaterThanOrEqual(60);
  });

  test('has time to be left alone by its callers, and then to finish', () => {
    const [program, seconds] = container.lifecycle?.preStop.exec.command ?? [];
    expect(program).toBe('sleep');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + drainSeconds() + 5);
  });

  test('may do what an ordinary process may do, and nothing else', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const each of [...(pod.initContainers ?? []), container]) {
      expect(each.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect([Object.keys(each.resources.requests).sort(), Object.keys(each.resources.limits)]).toEqual([
        ['cpu', 'memory'],
        ['memory'],
      ]);
      for (const mount of each.volumeMounts) expect(pod.volumes.map((volume) => volume.name)).toContain(mount.name);
    }
    expect(pod.volumes.filter(({ emptyDir }) => !emptyDir)).toEqual([]);
  });
});

test.each(subgraphs)('the files that %s reads come from the image with the data', (name) => {
  const deployment = deployments.find((each) => each.name === name);
  const [init] = deployment?.pod.initContainers ?? [];
  const [, list = ''] = /^cp (.+) \/served\/$/.exec(init?.command?.[2] ?? '') ?? [];
  expect([init?.image, init?.command?.slice(0, 2)]).toEqual(['lectern-data', ['sh', '-c']]);
  expect(dockerfile.environment('data')['LECTERN_DATA']).toBe('/data');
  const copied = list.split(' ').flatMap((path) => matches(path.replace(/^\/data\//, ''), dataDir));
  expect(copied.filter((path) => path.endsWith('.sqlite'))).toEqual([
    name === 'text' ? 'corpus.sqlite' : `${name}.sqlite`,
  ]);
  expect(copied.filter((path) => /^keys|pepper/.test(path))).toEqual([]);
  const volume = init?.volumeMounts.find(({ mountPath }) => mountPath === '/served')?.name;
  expect(deployment?.container.volumeMounts).toContainEqual({
    name: volume,
    mountPath: dockerfile.environment(name)['LECTERN_DATA'],
    readOnly: true,
  });
});

test('the gateway asks each subgraph by its service, at the port that this has', () => {
  const urls = subgraphUrls(configMaps.get('gateway')?.['SUBGRAPH_URLS'] ?? '');
  expect(urls.map(({ name, url }) => [name, url.hostname, url.pathname])).toEqual(
    subgraphs.map((name) => [name, name, '/graphql']),
  );
  for (const { url } of urls)
    expect(
      all('Service')
        .find(({ metadata }) => metadata.name === url.hostname)
        ?.spec.ports.map(({ port }) => String(port)),
    ).toContain(url.port);
});

test('the ingress leads to the gateway', () => {
  const backends = all('Ingress').flatMap(({ spec }) =>
    spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service)),
  );
  const gateway = all('Service').find(({ metadata }) => metadata.name === 'gateway');
  expect(backends).toEqual([{ name: 'gateway', port: { name: gateway?.spec.ports[0]?.name } }]);
});

describe('of network policies', () => {
  const policies = all('NetworkPolicy').map(({ spec }) => spec);
  const peers = (rules: readonly PolicyRule[] = [], side: 'from' | 'to') =>
    rules.flatMap((rule) => (rule[side] ?? [{}]).map((peer) => ({ peer, ports: rule.ports.map(({ port }) => port) })));

  test('one forbids whatever no other allows', () => {
    expect(policies).toContainEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  test('subgraphs are asked by the gateway alone, at their own ports, and ask nobody', () => {
    for (const name of subgraphs) {
      const own = policies.filter(
        ({ podSelector, ingress, egress }) => (ingress ?? egress) && found(podSelector).includes(name),
      );
      expect(own.flatMap(({ egress = [] }) => egress)).toEqual([]);
      const callers = own
        .flatMap(({ ingress }) => peers(ingress, 'from'))
        .filter(({ ports }) => ports.includes(Number(dockerfile.last(name, 'EXPOSE'))));
      expect(callers.map(({ peer }) => found(peer.podSelector ?? {}))).toEqual([['gateway']]);
    }
  });

  test('the gateway reaches the subgraphs at their ports, names, and the stores', () => {
    const own = policies.filter(({ podSelector, egress }) => egress && found(podSelector).includes('gateway'));
    const reached = own.flatMap(({ egress }) => peers(egress, 'to'));
    const pods = reached.flatMap(({ peer, ports }) =>
      peer.podSelector ? [[...found(peer.podSelector), ...ports]] : [],
    );
    expect(pods).toEqual(subgraphs.map((name) => [name, Number(dockerfile.last(name, 'EXPOSE'))]));
    expect(reached.flatMap(({ peer, ports }) => (peer.podSelector ? [] : ports))).toEqual([
      53, 53, 5432, 6379, 465, 587,
    ]);
  });

  test('metrics are read from one namespace, of every process', () => {
    const metricsPorts = deployments.map(({ container }) => portOf(container, 'metrics'));
    expect(new Set(metricsPorts)).toEqual(new Set([9464]));
    const readers = policies
      .flatMap(({ podSelector, ingress }) =>
        peers(ingress, 'from').map((rule) => ({ ...rule, of: found(podSelector) })),
      )
      .filter(({ ports }) => ports.includes(9464));
    expect(readers).toEqual([
      {
        of: deployments.map(({ name }) => name),
        ports: [9464],
        peer: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
      },
    ]);
  });
});
