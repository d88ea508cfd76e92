// Checks the schemas of services against the published supergraph, publishes them, and composes and publishes the supergraph.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { failure, runCommand, usageError } from './command-line.mjs';
import { allowedBreaksFile, checkChanges, operationsFolder, operationsOfPackages } from './schema/check-changes.mjs';
import { checkOperations, operationFiles } from './schema/check-operations.mjs';
import { readSubgraphs } from './schema/compose-subgraphs.mjs';
import { maxGrowthOption, parseMaxGrowth } from './schema/fetches.mjs';
import { formatReport } from './schema/format-report.mjs';
import { readSchema } from './schema/read-reference-schema.mjs';
import { locations, openRegistry } from './schema-registry/open-registry.mjs';
import { nextTime, replacePublished } from './schema-registry/published-schemas.mjs';

const config = 'supergraph.yaml';

await runCommand({
  name: 'npm run publish:schema --',
  description:
    'Publishes the schemas of services, composes the supergraph with the published schemas of all others, and publishes it.',
  options: [
    ['--registry <location>', 'the registry, in place of SCHEMA_REGISTRY'],
    ['--routing-url <url>', 'the URL at which gateways reach the service (one service only)'],
    maxGrowthOption,
    ['--check', 'check only: write nothing'],
  ],
  arguments: [['<services...>', 'the services, as supergraph.yaml names them']],
  help: `${locations}

Without --routing-url, a service keeps its published URL, or gets that of supergraph.yaml.
The schema must compose, and must not break clients: it is compared with the published supergraph as check:schema does.
In the first call, name all services that need each other to compose.
Exit status: 0 published or nothing to publish, 1 failed, 2 invalid command line.`,
  run: async ({ registry, routingUrl, maxFetchesGrowth, check = false }, ...names) => {
    const maxGrowth = parseMaxGrowth(maxFetchesGrowth);
    const services = readServices(names, routingUrl);
    const store = openRegistry(registry || process.env['SCHEMA_REGISTRY']);
    try {
      return await publish(store, services, { checkOnly: check, maxGrowth });
    } finally {
      store.close?.();
    }
  },
});

/**
 * Returns the commit of this checkout, such as `1f2e3d4c5b6a`, with `-dirty` if a tracked file differs from it. Returns
 * null outside of a git checkout, such as in an unpacked release.
 */
function readCommit() {
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/**
 * Reads the schema and the version of each service: the commit, or else the version of the package. `given` says
 * whether the command line has its URL.
 */
function readServices(names, routingUrl) {
  const known = readSubgraphs(config);
  const commit = readCommit();
  const unknown = names.filter((name) => !known.some((subgraph) => subgraph.name === name));
  if (unknown.length > 0)
    throw usageError(`${config} has no ${unknown.join(', ')}. It has ${known.map(({ name }) => name).join(', ')}.`);
  if (routingUrl && names.length > 1)
    throw usageError('--routing-url is the URL of one service: publish one at a time.');
  if (routingUrl && !/^https?:\/\/[^\s"\\]+$/.test(routingUrl))
    throw usageError('--routing-url must be a URL that begins with http:// or https://.');
  return known
    .filter(({ name }) => names.includes(name))
    .map(({ name, url, file }) => ({
      name,
      file,
      version: commit ?? JSON.parse(readFileSync(join('services', name, 'package.json'), 'utf8')).version,
      schema: readFileSync(file, 'utf8'),
      url: routingUrl || url,
      given: Boolean(routingUrl),
    }));
}

async function publish(store, services, { checkOnly, maxGrowth }) {
  const { state, isChanged } = await replacePublished(store, {
    checkOnly,
    message: `Publish ${services.map(({ name, version }) => `${name} ${version}`).join(', ')}`,
    change: (before) => withServices(before, services),
    check: (change) => checkAgainstLive(change, services, { name: store.name, maxGrowth }),
  });
  const list = services.map(({ name }) => `${name} ${state.subgraphs[name].version}`).join(', ');
  if (!isChanged) console.log(`${store.name}: ${list}: this schema is published already.`);
  else if (checkOnly) console.log(`${store.name}: ${list}: can be published.`);
  else console.log(`${store.name}: published ${list} at ${state.published}.`);
  const absent = readSubgraphs(config).flatMap(({ name }) => (state.subgraphs[name] ? [] : [name]));
  if (absent.length > 0)
    console.log(
      `The published supergraph lacks ${absent.join(', ')}, which ${config} has: clients do not see their fields. Publish them with: npm run publish:schema -- ${absent.join(' ')}`,
    );
  return 0;
}

/**
 * Returns the published state with these services added or replaced. Returns `before` if nothing changes: a schema keeps
 * the version with which it was first published.
 */
function withServices(before, services) {
  const subgraphs = { ...before?.subgraphs };
  for (const { name, version, schema, url, given } of services) {
    const known = subgraphs[name];
    const routingUrl = known && !given ? known.routingUrl : url;
    if (known?.schema !== schema || known.routingUrl !== routingUrl) subgraphs[name] = { version, routingUrl, schema };
  }
  if (before && services.every(({ name }) => before.subgraphs[name] === subgraphs[name])) return before;
  const published = before?.published ?? null;
  return { published: nextTime(published, Date.now()), previous: published, replaced: published, subgraphs };
}

/**
 * Throws if the new supergraph breaks clients of the live supergraph, which gateways use now. The
 * examples of the services must be valid. Any other invalid operation is no reason to throw if the
 * live supergraph rejects it too: it may need another service, which has not been published yet.
 */
async function checkAgainstLive({ subgraphs, supergraphSdl, live }, services, { name, maxGrowth }) {
  if (live === null) return;
  const reference = { name: `${name}: supergraph.graphql`, ...readSchema(live, `${name}: supergraph.graphql`) };
  const files = operationFiles(services, operationsOfPackages, operationsFolder);
  const own = new Set(services.map(({ file }) => normalize(join(file, '..', 'examples.graphql'))));
  const isNew = ({ file, line, message }) =>
    own.has(normalize(file)) ||
    !failedBefore.some((error) => error.file === file && error.line === line && error.message === message);
  const failedBefore = checkOperations(files, reference.schema).errors;
  const report = await checkChanges({
    subgraphs,
    supergraphSdl,
    name: 'the new supergraph',
    references: [{ ...reference, isContract: false }],
    files,
    maxGrowth,
    now: Date.now(),
  });
  const errors = report.operations.errors.filter(isNew);
  const passes =
    errors.length === 0 &&
    report.breaking.every(({ allowed }) => allowed) &&
    !report.moreFetches.some(({ excess }) => excess) &&
    report.allowances.errors.length === 0;
  const shown = { ...report, passes, operations: { ...report.operations, errors } };
  const text = formatReport(
    shown,
    allowedBreaksFile,
    `The supergraph with ${services.map(({ name }) => name).join(', ')}`,
  );
  if (!passes) throw failure(...text, 'Nothing was published.');
  console.log(text.join('\n'));
}
