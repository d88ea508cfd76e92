import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir, repositoryRoot } from '@lectern/testing';
import { parse } from 'yaml';
import { subgraphNames } from '../support/supergraph-yaml';
import { matches } from './image-files';
import { readDockerfile } from './parse-dockerfile';
import { exampleOf, maxStopSeconds, parseEnvironment, subgraphUrls } from './process-settings';
import type { Container, PolicyRule } from './read-kubernetes-manifests';
import { components, readManifests, selects } from './read-kubernetes-manifests';

const dockerfile = readDockerfile();
const { all, files, kinds, kustomization } = readManifests();
const deployments = all('Deployment').map(({ metadata: { name }, spec }) => {
  const pod = spec.template.spec;
  const [container] = pod.containers;
  if (!container) throw new Error(`${name} has no container`);
  return {
    name,
    target: container.image.replace('lectern-', ''),
    spec,
    labels: spec.template.metadata.labels,
    pod,
    container,
  };
});
const subgraphs = subgraphNames;
const gateways = ['gateway', 'gateway-test'];
const configMaps = new Map(all('ConfigMap').map(({ metadata: { name }, data }) => [name, data]));
const secrets = new Map(all('Secret').map(({ metadata: { name }, stringData }) => [name, stringData]));
const portOf = ({ ports = [] }: Container, name: string) => ports.find((port) => port.name === name)?.containerPort;
const settingsAt = ({ env = [], envFrom = [] }: Container): Record<string, string> => ({
  ...(Object.assign({}, ...envFrom.map(({ configMapRef }) => configMaps.get(configMapRef.name))) as Record<
    string,
    string
  >),
  ...Object.fromEntries(env.map(({ name, value, valueFrom }) => [name, valueFrom ? exampleOf(name) : (value ?? '')])),
});
/** Lists the names of the deployments whose pods a selector matches. */
const matching = (selector: Parameters<typeof selects>[0]) =>
  deployments
    .filter(({ labels }) => selects(selector, labels))
    .map(({ name }) => name)
    .sort();

test('kustomization.yaml lists every manifest and the same version for every image', () => {
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
  // All images need the same version: the image `data` builds files in the format that the
  // subgraphs of its version read.
  expect(new Set(kustomization.images.map(({ newTag }) => newTag)).size).toBe(1);
});

test.each(components)(
  'the folder %s in deploy/kubernetes is a kustomize component that consists of one manifest',
  (name) => {
    const file = join(repositoryRoot, 'deploy/kubernetes', name, 'kustomization.yaml');
    expect(parse(readFileSync(file, 'utf8'))).toEqual({
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      kind: 'Component',
      resources: [`${name}.yaml`],
    });
  },
);

test('the Kubernetes manifests have only the expected kinds of objects, and a deployment for each part', () => {
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
  expect(deployments.map(({ name }) => name).sort()).toEqual([...subgraphs, ...gateways, ...components].sort());
});

describe.each(deployments)('in the Kubernetes manifests', ({ name, target, spec, labels, pod, container }) => {
  const image = gateways.includes(name) ? 'gateway' : name;
  test(`the deployment ${name} runs the command of ${image}, with a service, a disruption budget and an autoscaler`, () => {
    expect([target, container.command]).toEqual([image, undefined]);
    expect([matching(spec.selector), selects(spec.selector, labels)]).toEqual([[name], true]);
    const service = all('Service').find(({ metadata }) => metadata.name === name);
    expect(matching({ matchLabels: service?.spec.selector ?? {} })).toEqual([name]);
    expect(service?.spec.ports.map(({ targetPort }) => portOf(container, targetPort))).toEqual([
      Number(dockerfile.last(target, 'EXPOSE')),
      ...(name === 'text' ? [4010] : []),
    ]);
    const budget = all('PodDisruptionBudget').find(({ metadata }) => metadata.name === name);
    expect(matching(budget?.spec.selector ?? {})).toEqual([name]);
    const scaler = all('HorizontalPodAutoscaler').find(
      ({ spec: { scaleTargetRef } }) => scaleTargetRef.kind === 'Deployment' && scaleTargetRef.name === name,
    );
    expect(scaler?.spec.minReplicas).toBeGreaterThanOrEqual(2);
    // With a replica count, each `kubectl apply` would undo the autoscaler's decision.
    expect(spec.replicas).toBeUndefined();
  });

  test(`the deployment ${name} sets only variables that its process accepts, and declares the ports on which it listens`, () => {
    const config = parseEnvironment(target, { ...dockerfile.environment(target), ...settingsAt(container) });
    expect([config['HOST'], config['PORT'], config['METRICS_HOST'], config['METRICS_PORT']]).toEqual([
      '0.0.0.0',
      portOf(container, 'http'),
      '0.0.0.0',
      portOf(container, 'metrics'),
    ]);
    expect(config['OFFLINE_PORT']).toBe(portOf(container, 'offline'));
  });

  test(`the deployment ${name} reads each secret setting from the key of the same name in the example secret`, () => {
    const references = (container.env ?? []).flatMap(({ name: variable, valueFrom }) =>
      valueFrom ? [{ variable, ...valueFrom.secretKeyRef }] : [],
    );
    expect(references.some(({ variable }) => variable === 'SUBGRAPH_SECRET')).toBe(!components.includes(name));
    expect(
      references.filter(
        (reference) => reference.key !== reference.variable || secrets.get(reference.name)?.[reference.key] !== '',
      ),
    ).toEqual([]);
    expect(references.length > 1).toBe(target === 'gateway');
  });

  test(`the deployment ${name} has startup and readiness probes for /ready, a liveness probe, and at least 60 s to start`, () => {
    const { startupProbe, readinessProbe, livenessProbe } = container;
    expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)).toEqual([
      { path: '/ready', port: 'http' },
      { path: '/ready', port: 'http' },
      { path: '/health', port: 'http' },
    ]);
    expect((startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0)).toBeGreaterThanOrEqual(60);
  });

  test(`terminationGracePeriodSeconds of ${name} exceeds the preStop pause and the maximum time to stop together`, () => {
    const [program, seconds] = container.lifecycle?.preStop.exec.command ?? [];
    expect(program).toBe('sleep');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + maxStopSeconds());
  });

  test(`the deployment ${name} has restricted privileges, a memory limit and only temporary volumes but a supergraph`, () => {
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
    expect(pod.volumes.filter(({ emptyDir }) => !emptyDir)).toEqual(
      target === 'gateway' ? [{ name: 'supergraph', configMap: { name: 'supergraph', optional: true } }] : [],
    );
  });
});

/**
 * The subgraphs that read data files: those with a catalogue of translations or a file of their own in the data folder.
 */
const subgraphsWithData = subgraphs.filter((name) =>
  [`${name}-catalogue.sqlite`, `${name}.sqlite`].some((file) => existsSync(join(dataDir, file))),
);

test('the setting SUPERGRAPH of each gateway deployment is the path of the file in the mounted config map', () => {
  for (const { container } of deployments.filter(({ name }) => name.startsWith('gateway'))) {
    const { mountPath } = container.volumeMounts.find(({ name }) => name === 'supergraph') ?? {};
    expect(settingsAt(container)['SUPERGRAPH']).toBe(`${mountPath}/supergraph.graphql`);
  }
});

/*
 * In this repository each subgraph reads data files, so the loop below is empty. It has an element
 * when tests/composition/new-subgraph-command.test.ts runs this file in a copy of the repository:
 * a subgraph that `npm run new:subgraph` has just created reads no data files.
 */
test('the deployment of a subgraph that reads no data files mounts no volume except one for temporary files', () => {
  for (const name of subgraphs.filter((each) => !subgraphsWithData.includes(each))) {
    const deployment = deployments.find((each) => each.name === name);
    expect(deployment?.pod.initContainers).toBeUndefined();
    expect(deployment?.container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/tmp']);
  }
});

test.each(subgraphsWithData)(
  'the deployment %s copies exactly the data files that it needs from the image lectern-data, and mounts them read-only',
  (name) => {
    const deployment = deployments.find((each) => each.name === name);
    const [init] = deployment?.pod.initContainers ?? [];
    const [, list = ''] = /^cd \/data && cp --parents (.+) \/served\/$/.exec(init?.command?.[2] ?? '') ?? [];
    expect([init?.image, init?.command?.slice(0, 2)]).toEqual(['lectern-data', ['sh', '-c']]);
    expect(dockerfile.environment('data')['LECTERN_DATA']).toBe('/data');
    const copied = list.split(' ').flatMap((path) => matches(path, dataDir));
    // Not each machine has the Hebrew and Greek texts.
    const ofDefaults = copied.filter((path) => !/^translations\/(?:hbo|grc)-/.test(path));
    expect(ofDefaults.filter((path) => path.endsWith('.sqlite')).sort()).toEqual(
      [
        // The originals subgraph reads the numbering of each translation from its text.
        `${name === 'originals' ? 'text' : name}-catalogue.sqlite`,
        ...(name === 'originals' ? ['originals.sqlite'] : []),
        ...(name === 'concordance' ? ['strongs.sqlite'] : []),
        ...(name === 'study' ? ['reference-works.sqlite'] : []),
        ...(name === 'text' ? ['offline-catalogue.sqlite'] : []),
        ...['eng-kjv', 'eng-web', 'spa-rv1909'].flatMap((identifier) =>
          (name === 'text' ? ['offline', 'text'] : [name === 'originals' ? 'text' : name]).map(
            (file) => `translations/${identifier}/${file}.sqlite`,
          ),
        ),
      ].sort(),
    );
    // The text subgraph also has offline packages: two schema versions for each of three
    // translations.
    expect(copied.filter((path) => path.endsWith('.sqlite.gz')).length).toBeGreaterThanOrEqual(name === 'text' ? 6 : 0);
    expect(copied.filter((path) => /^keys|pepper/.test(path))).toEqual([]);
    const volume = init?.volumeMounts.find(({ mountPath }) => mountPath === '/served')?.name;
    expect(deployment?.container.volumeMounts).toContainEqual({
      name: volume,
      mountPath: dockerfile.environment(name)['LECTERN_DATA'],
      readOnly: true,
    });
  },
);

test('the containers of the gateways for live and test keys differ only in LECTERN_ENVIRONMENT and PUBLIC_URL', () => {
  const [live, other] = gateways.map((name) => {
    const container = deployments.find((each) => each.name === name)?.container;
    const { LECTERN_ENVIRONMENT: environment, ...settings } = configMaps.get(name) ?? {};
    return { environment, settings: { ...settings, PUBLIC_URL: '' }, container: { ...container, envFrom: [] } };
  });
  expect([live?.environment, other?.environment]).toEqual(['live', 'test']);
  expect([other?.settings, other?.container]).toEqual([live?.settings, live?.container]);
});

test('LECTERN_URL of the MCP server has the Kubernetes service and port of the gateway', () => {
  const portOfService = (name: string) =>
    all('Service').find(({ metadata }) => metadata.name === name)?.spec.ports[0]?.port;
  expect(portOfService('gateway')).toBe(80);
  expect(configMaps.get('mcp')?.['LECTERN_URL']).toBe('http://gateway/graphql');
});

test.each(gateways)(
  'SUBGRAPH_URLS of the deployment %s has the Kubernetes service and port of each subgraph',
  (name) => {
    const urls = subgraphUrls(configMaps.get(name)?.['SUBGRAPH_URLS'] ?? '');
    expect(urls.map(({ name, url }) => [name, url.hostname, url.pathname])).toEqual(
      subgraphs.map((name) => [name, name, '/graphql']),
    );
    for (const { url } of urls)
      expect(
        all('Service')
          .find(({ metadata }) => metadata.name === url.hostname)
          ?.spec.ports.map(({ port }) => String(port)),
      ).toContain(url.port);
  },
);

test('the Kubernetes ingresses route a host each to both gateways, to the offline packages and to the MCP server', () => {
  const rules = all('Ingress').flatMap(({ spec }) => spec.rules);
  expect(new Set(rules.map(({ host }) => host)).size).toBe(4);
  for (const name of ['text', ...gateways])
    expect(configMaps.get(name)?.['OFFLINE_BASE_URL']).toBe(`https://${rules[2]?.host}`);
  expect(configMaps.get('mcp')?.['ALLOWED_HOSTS']).toBe(rules[3]?.host);
  const backends = rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
  expect(backends).toEqual([
    ...gateways.map((name) => ({ name, port: { name: 'http' } })),
    { name: 'text', port: { name: 'offline' } },
    { name: 'mcp', port: { name: 'http' } },
  ]);
  for (const { name, port } of backends) {
    const service = all('Service').find(({ metadata }) => metadata.name === name);
    expect(service?.spec.ports.map(({ name }) => name)).toContain(port.name);
  }
});

describe('in the Kubernetes manifests', () => {
  const policies = all('NetworkPolicy').map(({ spec }) => spec);
  const peersOf = (rules: readonly PolicyRule[] = [], side: 'from' | 'to') =>
    rules.flatMap((rule) => (rule[side] ?? [{}]).map((peer) => ({ peer, ports: rule.ports.map(({ port }) => port) })));

  const namesAndPorts = (rules: readonly PolicyRule[] | undefined, side: 'from' | 'to') =>
    peersOf(rules, side).map(({ peer, ports }) => [...(peer.podSelector ? matching(peer.podSelector) : []), ...ports]);

  test('a network policy blocks all traffic by default', () => {
    expect(policies).toContainEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  test('network policies allow only gateways to reach subgraphs, and allow subgraphs no connections', () => {
    for (const name of subgraphs) {
      const own = policies.filter(
        ({ podSelector, ingress, egress }) => (ingress ?? egress) && matching(podSelector).includes(name),
      );
      expect(own.flatMap(({ egress }) => namesAndPorts(egress, 'to'))).toEqual([]);
      const callers = own
        .flatMap(({ ingress }) => peersOf(ingress, 'from'))
        .filter(({ ports }) => ports.includes(Number(dockerfile.last(name, 'EXPOSE'))));
      expect(callers.map(({ peer }) => matching(peer.podSelector ?? {}))).toEqual([gateways]);
    }
  });

  test('network policies let every client reach the offline packages of the text subgraph, and no other port of a subgraph', () => {
    const open = policies.flatMap(({ podSelector, ingress }) =>
      peersOf(ingress, 'from')
        .filter(({ peer }) => !peer.podSelector && !peer.namespaceSelector)
        .map(({ ports }) => [...matching(podSelector).filter((name) => subgraphs.includes(name)), ...ports]),
    );
    expect(open.filter(([name]) => typeof name === 'string')).toEqual([['text', 4010]]);
  });

  test('network policies allow the gateways to connect only to subgraphs, DNS, PostgreSQL, Redis and mail servers', () => {
    const own = policies.filter(({ podSelector, egress }) => egress && matching(podSelector).includes('gateway'));
    expect(own.map(({ podSelector }) => matching(podSelector))).toEqual([gateways]);
    const reached = own.flatMap(({ egress }) => peersOf(egress, 'to'));
    const pods = reached.flatMap(({ peer, ports }) =>
      peer.podSelector ? [[...matching(peer.podSelector), ...ports]] : [],
    );
    expect(pods).toEqual(subgraphs.map((name) => [name, Number(dockerfile.last(name, 'EXPOSE'))]));
    expect(reached.flatMap(({ peer, ports }) => (peer.podSelector ? [] : ports))).toEqual([
      53, 53, 5432, 6379, 465, 587,
    ]);
  });

  test('network policies allow the MCP server to reach only gateways and DNS', () => {
    const of = (name: string) => policies.filter(({ podSelector }) => matching(podSelector).join() === name);
    expect(of('mcp').flatMap(({ egress }) => namesAndPorts(egress, 'to'))).toEqual([
      [...gateways, 4000],
      [53, 53],
    ]);
  });

  test('network policies allow connections to the metrics port of each deployment only from the namespace monitoring', () => {
    const metricsPorts = deployments.map(({ container }) => portOf(container, 'metrics'));
    expect(new Set(metricsPorts)).toEqual(new Set([9464]));
    const readers = policies
      .flatMap(({ podSelector, ingress }) =>
        peersOf(ingress, 'from').map((rule) => ({ ...rule, of: matching(podSelector) })),
      )
      .filter(({ ports }) => ports.includes(9464));
    expect(readers).toEqual([
      {
        of: deployments.map(({ name }) => name).sort(),
        ports: [9464],
        peer: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
      },
    ]);
  });
});
