import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { parseAllDocuments } from 'yaml';

export type Labels = Readonly<Record<string, string>>;

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources: { readonly requests: Labels; readonly limits: Labels };
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

export interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly {
    readonly name: string;
    readonly emptyDir?: { readonly sizeLimit?: string };
    readonly configMap?: { readonly name: string; readonly optional?: boolean };
  }[];
}

export interface PolicyRule {
  readonly from?: readonly { readonly podSelector?: Selector; readonly namespaceSelector?: Selector }[];
  readonly to?: readonly { readonly podSelector?: Selector; readonly namespaceSelector?: Selector }[];
  readonly ports: readonly { readonly port: number; readonly protocol?: string }[];
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Labels;
}

/** The fields that the tests read, for each kind of Kubernetes object in our manifests. */
export interface Kinds {
  Namespace: object;
  ConfigMap: { readonly data: Labels };
  Secret: { readonly stringData: Labels };
  Deployment: {
    readonly spec: {
      readonly replicas?: number;
      readonly selector: Selector;
      readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
    };
  };
  Service: {
    readonly spec: {
      readonly selector: Labels;
      readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
    };
  };
  PodDisruptionBudget: { readonly spec: { readonly selector: Selector } };
  HorizontalPodAutoscaler: {
    readonly spec: {
      readonly scaleTargetRef: { readonly kind: string; readonly name: string };
      readonly minReplicas: number;
      readonly maxReplicas: number;
    };
  };
  NetworkPolicy: {
    readonly spec: {
      readonly podSelector: Selector;
      readonly policyTypes: readonly string[];
      readonly ingress?: readonly PolicyRule[];
      readonly egress?: readonly PolicyRule[];
    };
  };
  Ingress: {
    readonly spec: {
      readonly rules: readonly {
        readonly host: string;
        readonly http: {
          readonly paths: readonly {
            readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
          }[];
        };
      }[];
    };
  };
}

export interface Kustomization {
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
}

const folder = join(repositoryRoot, 'deploy', 'kubernetes');

/** The kustomize components, which kustomization.yaml can include. */
export const components = ['mcp'];

function parseFile(file: string): unknown[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    const [error] = document.errors;
    if (error) throw new Error(`${file}: ${error.message}`);
    return document.toJS() as unknown;
  });
}

/**
 * Reads kustomization.yaml and all manifests in deploy/kubernetes and deploy/kubernetes/examples.
 */
export function readManifests() {
  const filesOf = (place: string) =>
    readdirSync(place)
      .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
      .sort();
  const files = filesOf(folder);
  const objects = [
    ...files.map((name) => join(folder, name)),
    ...['examples', ...components].flatMap((each) =>
      filesOf(join(folder, each)).map((name) => join(folder, each, name)),
    ),
  ].flatMap(parseFile) as { kind: string; metadata: Metadata }[];
  const [kustomization] = parseFile(join(folder, 'kustomization.yaml')) as Kustomization[];
  if (!kustomization) throw new Error('kustomization.yaml is empty');
  return {
    files,
    kustomization,
    all: <Kind extends keyof Kinds>(kind: Kind) =>
      objects.filter((object) => object.kind === kind) as unknown as readonly (Kinds[Kind] & { metadata: Metadata })[],
    kinds: [...new Set(objects.map(({ kind }) => kind))].sort(),
  };
}

/** Returns whether a selector selects pods with these labels. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
  matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''));
