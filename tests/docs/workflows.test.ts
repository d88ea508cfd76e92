import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
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
  jobs: Record<string, { 'timeout-minutes'?: number; steps: Step[] }>;
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
    .filter((room) => existsSync(join(repositoryRoot, room, 'package.json')));

const workflows = readdirSync(join(repositoryRoot, '.github/workflows')).map((file) => ({
  file,
  workflow: parse(read(`.github/workflows/${file}`)) as Workflow,
}));
const services = foldersOf('services');
const rooms = new Map(
  [...foldersOf('packages'), ...services, 'gateway'].map((folder) => [readPackage(folder).name, folder]),
);

const runsOf = (workflow: Workflow) =>
  Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])));
const filtersOf = ({ on }: Workflow) =>
  Array.isArray(on) ? [] : Object.values(on).flatMap((trigger) => (trigger?.paths ? [trigger.paths] : []));

/** The rooms that a room is made of, itself left out: what it declares, what those declare, and what its tests lean on. */
function roomsUnder(folder: string): string[] {
  const found = new Set<string>();
  const visit = (room: string) => {
    const { dependencies, devDependencies } = readPackage(room);
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const under = rooms.get(name);
      if (under === undefined || found.has(under)) continue;
      found.add(under);
      visit(under);
    }
  };
  visit(folder);
  visit('packages/testing');
  return [...found, 'packages/testing'];
}

test.each(workflows)('what $file runs is a script of package.json, or a file', ({ workflow }) => {
  const scripts = Object.keys(readPackage('.').scripts ?? {});
  const runs = runsOf(workflow);
  expect(runs.length).toBeGreaterThan(0);
  for (const run of runs) {
    const [, script] = /^npm (?:run )?([\w:]+)(?: -- .*)?$/.exec(run) ?? [];
    const [, file = ''] = /^bash (\S+)$/.exec(run) ?? [];
    expect({
      run,
      known:
        run === 'npm ci --ignore-scripts' ||
        (script === undefined ? existsSync(join(repositoryRoot, file)) && file !== '' : scripts.includes(script)),
    }).toEqual({ run, known: true });
  }
});

test.each(workflows)(
  '$file may read and nothing else, ends in time, and puts no text of strangers into a command',
  ({ workflow }) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.values(workflow.jobs).filter((job) => !job['timeout-minutes'])).toEqual([]);
    expect(runsOf(workflow).filter((run) => run.includes('${{'))).toEqual([]);
  },
);

test.each(workflows)('the paths of $file exist, and are the same for every event', ({ workflow }) => {
  const filters = filtersOf(workflow);
  expect(filters.flat().filter((path) => !existsSync(join(repositoryRoot, path.replace(/\/\*\*$/, ''))))).toEqual([]);
  for (const filter of filters) expect(filter).toEqual(filters[0]);
});

test.each(services)(
  '%s has a workflow that runs for it, for what it is made of and for nothing else of ours',
  (folder) => {
    const name = folder.replace('services/', '');
    const workflow = workflows.find(({ file }) => file === `${name}.yml`)?.workflow;
    const [paths = []] = workflow ? filtersOf(workflow) : [];
    const roomsIn = paths.filter((path) => /^(services|packages|gateway)/.test(path)).sort();
    expect(roomsIn).toEqual(
      [folder, ...roomsUnder(folder)]
        .map((room) => `${room}/**`)
        .filter((path, index, all) => all.indexOf(path) === index)
        .sort(),
    );
    expect(paths).toEqual(expect.arrayContaining(['package-lock.json', `.github/workflows/${name}.yml`]));
    expect(workflow ? runsOf(workflow) : []).toEqual(
      expect.arrayContaining([
        `npm test -- ${folder}`,
        expect.stringContaining('npm run check:schema -- --against "git:origin/'),
      ]),
    );
  },
);

test('the whole is tested on every change, whatever its paths', () => {
  const whole = workflows.find(({ file }) => file === 'test.yml')?.workflow;
  expect(whole?.on).toEqual(['push', 'pull_request']);
  expect(whole ? runsOf(whole) : []).toEqual(
    expect.arrayContaining(['bash .ci/run', 'npm run compose:rover', expect.stringContaining('npm run check:schema')]),
  );
});
