import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Job {
  'timeout-minutes'?: number;
  permissions?: Record<string, string>;
  steps?: Step[];
  /** The path of another workflow, which the job runs in place of steps. */
  uses?: string;
  with?: Record<string, unknown>;
}
interface Trigger {
  paths?: string[];
  branches?: string[];
}
interface Workflow {
  name: string;
  on: string[] | Record<string, Trigger | null>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}
interface Package {
  name: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const readPackage = (folder: string) => JSON.parse(read(join(folder, 'package.json'))) as Package;
const foldersOf = (folder: string) =>
  readdirSync(join(repositoryRoot, folder))
    .map((name) => `${folder}/${name}`)
    .filter((path) => existsSync(join(repositoryRoot, path, 'package.json')));

const workflows = readdirSync(join(repositoryRoot, '.github/workflows')).map((file) => ({
  file,
  workflow: parse(read(`.github/workflows/${file}`)) as Workflow,
}));
const services = foldersOf('services');
const folderByPackage = new Map(
  [...foldersOf('packages'), ...services, 'gateway'].map((folder) => [readPackage(folder).name, folder]),
);

const jobsOf = (name: string) => workflows.find(({ file }) => file === name)?.workflow.jobs ?? {};
const deliver = './.github/workflows/deliver.yml';

const runsOf = (workflow: Workflow) =>
  Object.values(workflow.jobs).flatMap(({ steps = [] }) =>
    steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
  );
const filtersOf = ({ on }: Workflow) =>
  Array.isArray(on) ? [] : Object.values(on).flatMap((trigger) => (trigger?.paths ? [trigger.paths] : []));

/**
 * Lists the folders of the packages of this repository that a package needs, directly or
 * indirectly. Its tests also need packages/testing and the packages that packages/testing needs.
 */
function dependencyFolders(folder: string): string[] {
  const found = new Set<string>();
  const visit = (packageFolder: string) => {
    const { dependencies, devDependencies } = readPackage(packageFolder);
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const dependency = folderByPackage.get(name);
      if (dependency === undefined || found.has(dependency)) continue;
      found.add(dependency);
      visit(dependency);
    }
  };
  visit(folder);
  visit('packages/testing');
  return [...found, 'packages/testing'];
}

test.each(workflows)(
  'the GitHub workflow $file runs only npm ci, scripts of package.json and existing files',
  ({ workflow }) => {
    const scripts = Object.keys(readPackage('.').scripts ?? {});
    const runs = runsOf(workflow);
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) {
      const [, script] = /^npm (?:run )?([\w:]+)(?: -- .*)?$/.exec(run) ?? [];
      const [, file = ''] =
        /^(?:bash|node) (\S+)(?: test| "\$TAG"| "\$SERVICE" >> "\$GITHUB_OUTPUT")?$/.exec(run) ?? [];
      expect({
        run,
        known:
          run === 'npm ci --ignore-scripts --workspace @lectern/checks' ||
          (script === undefined ? existsSync(join(repositoryRoot, file)) && file !== '' : scripts.includes(script)),
      }).toEqual({ run, known: true });
    }
  },
);

test.each(workflows)(
  'the workflow $file has minimal permissions, a timeout for each job, and no GitHub expression in a shell command',
  ({ workflow }) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const jobs = Object.values(workflow.jobs);
    expect(jobs.filter((job) => !job['timeout-minutes'] && job.uses === undefined)).toEqual([]);
    // base-image.yml proposes a pull request, and client.yml publishes on npm. Only jobs that publish an image have
    // other permissions.
    const onNpm = JSON.stringify({ contents: 'read', 'id-token': 'write' });
    const publishing = jobs.filter(
      (job) => job.permissions && !('pull-requests' in job.permissions) && JSON.stringify(job.permissions) !== onNpm,
    );
    for (const { permissions, uses, steps = [] } of publishing) {
      expect(permissions).toEqual({
        contents: 'read',
        packages: 'write',
        'id-token': 'write',
        attestations: 'write',
      });
      expect(uses === deliver || steps.some((step) => step.uses?.startsWith('docker/build-push-action@'))).toBe(true);
    }
    expect(runsOf(workflow).filter((run) => run.includes('${{'))).toEqual([]);
  },
);

test.each(workflows)(
  'the path filters of the GitHub workflow $file name existing paths and are equal for all events',
  ({ workflow }) => {
    const filters = filtersOf(workflow);
    expect(filters.flat().filter((path) => !existsSync(join(repositoryRoot, path.replace(/\/\*\*$/, ''))))).toEqual([]);
    for (const filter of filters) expect(filter).toEqual(filters[0]);
  },
);

test.each(services)(
  'a workflow tests %s, and checks its schema, when the folder or a package that it imports changes',
  (folder) => {
    const name = folder.replace('services/', '');
    const workflow = workflows.find(({ file }) => file === `${name}.yml`)?.workflow;
    const [paths = []] = workflow ? filtersOf(workflow) : [];
    const packagePaths = paths.filter((path) => /^(services|packages|gateway)/.test(path)).sort();
    expect(packagePaths).toEqual(
      [folder, ...dependencyFolders(folder)]
        .map((path) => `${path}/**`)
        .filter((path, index, all) => all.indexOf(path) === index)
        .sort(),
    );
    expect(paths).toEqual(expect.arrayContaining(['package-lock.json', `.github/workflows/${name}.yml`]));
    expect(workflow ? runsOf(workflow) : []).toEqual(
      expect.arrayContaining([`npm test -- ${folder}`, `npm run publish:schema -- ${name} --check`]),
    );
  },
);

test.each([...services, 'gateway', 'packages/mcp'])(
  'the workflow of %s delivers the image after a push that passes the tests, and for a subgraph also the schema',
  (folder) => {
    const name = basename(folder);
    const job = jobsOf(`${name}.yml`)['deliver'];
    expect(job).toMatchObject({ uses: deliver, needs: 'test' });
    // Without the input `schema`, deliver.yml delivers the schema too.
    expect(job?.with).toEqual({ service: name, ...(!services.includes(folder) && { schema: false }) });
  },
);

test('a GitHub workflow delivers each image that the Kubernetes manifests use', () => {
  const { images } = parse(read('deploy/kubernetes/kustomization.yaml')) as { images: { name: string }[] };
  const delivered = workflows
    .flatMap(({ workflow }) => Object.values(workflow.jobs))
    .filter(({ uses }) => uses === deliver)
    .map((job) => `lectern-${String(job.with?.['service'])}`);
  expect(delivered.sort()).toEqual(images.map(({ name }) => name).sort());
});

test('the GitHub workflow deliver.yml publishes images with provenance, an SBOM and the version of the service', () => {
  const jobs = jobsOf('deliver.yml');
  const step = jobs['image']?.steps?.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
  expect(step?.with).toMatchObject({ push: true, provenance: 'mode=max', sbom: true });
  for (const member of ['tags', 'labels'])
    expect(step?.with?.[member]).toContain('${{ steps.service.outputs.version }}');
  expect(jobs['image']?.steps?.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'))).toBe(true);
});

test('a pull request runs `npm test` and check:schema once, and each night all tests run on all versions of Node', () => {
  const [test, nightly] = ['test.yml', 'nightly.yml'].map(
    (name) => workflows.find(({ file }) => file === name)?.workflow as Workflow,
  );
  expect(Object.keys(test?.on ?? {})).toEqual(['pull_request', 'push']);
  expect(test?.on).toMatchObject({ push: { branches: ['main'] } });
  expect(test?.jobs['test']).not.toHaveProperty('strategy');
  expect(runsOf(test as Workflow)).toEqual(
    expect.arrayContaining(['bash .ci/run test', expect.stringContaining('npm run check:schema')]),
  );
  expect(runsOf(nightly as Workflow)).toEqual(expect.arrayContaining(['bash .ci/run', 'npm run compose:rover']));
  expect(Object.keys(nightly?.on ?? {})).toEqual(['schedule', 'push', 'workflow_dispatch']);
  expect(nightly?.jobs['test']).toMatchObject({ strategy: { matrix: { node: [20, 22, 24, 26] } } });
});
