import { createRequire } from 'node:module';
import { failure, readText } from '../command-line.mjs';
import { settingsTable } from '../format-settings-table.mjs';
import { fillTemplate } from './fill-templates.mjs';

const { subgraphSettings } = createRequire(import.meta.url)('../../packages/subgraph/dist/index.js');

/**
 * Adds a new subgraph to each file that lists the subgraphs. Returns the new texts by path. Throws if
 * the place for the entry cannot be found in a file.
 */
export function subgraphEntries(subgraph) {
  const edits = {
    'supergraph.yaml': supergraphEntry,
    Dockerfile: dockerfileStages,
    'docker-compose.yml': composeService,
    'deploy/kubernetes/settings.yaml': subgraphUrl,
    'deploy/kubernetes/kustomization.yaml': kustomizationEntries,
    'deploy/kubernetes/network-policies.yaml': networkPolicies,
    'deploy/observability/prometheus/prometheus.yml': scrapedName,
    'packages/standalone/package.json': standaloneDependency,
    'packages/standalone/src/standalone.ts': standaloneSubgraph,
    'package-lock.json': lockFileEntries,
    'docs/settings.md': settingsSection,
    'docs/architecture.md': architectureLine,
  };
  return new Map(Object.entries(edits).map(([file, edit]) => [file, edit(editable(file), subgraph).toString()]));
}

/** Creates functions that edit the text of a file. They throw if the text to replace is missing. */
function editable(file, text = readText(file)) {
  /** Replaces all matches. Throws unless there are exactly `count` matches. */
  const replace = (pattern, replacement, count = 1) => {
    const found = [...text.matchAll(new RegExp(pattern, 'gm'))].length;
    if (found !== count)
      throw failure(`${file}: expected ${count} place(s) like ${pattern}, found ${found}. Add the subgraph by hand.`);
    return editable(file, text.replace(new RegExp(pattern, 'gm'), replacement));
  };
  return {
    replace,
    addBefore: (pattern, added, count) => replace(pattern, (match) => added + match, count),
    addAfter: (pattern, added, count) => replace(pattern, (match) => match + added, count),
    toString: () => text,
  };
}

const supergraphEntry = (file, { name, port }) =>
  editable(
    'supergraph.yaml',
    `${file.toString().trimEnd()}\n  ${name}:\n    routing_url: http://127.0.0.1:${port}/graphql\n    schema:\n      file: ./services/${name}/schema.graphql\n`,
  );

const dockerfileStages = (file, { values }) =>
  file
    .addBefore('^FROM modules AS standalone-modules$', fillTemplate('dockerfile-modules', values))
    .addBefore('^(# .*\\n)+FROM base AS data$', fillTemplate('dockerfile-image', values));

const composeService = (file, { last, name, values, port }) =>
  subgraphUrl(file, { name, port }, 1)
    .addAfter(
      `^      ${last}: \\{ condition: service_healthy \\}\\n`,
      `      ${name}: { condition: service_healthy }\n`,
    )
    .addBefore('^(  # .*\\n)+  gateway: &gateway$', fillTemplate('compose-service', values));

const subgraphUrl = (file, { name, port }, count = 2) =>
  file.addAfter('^ +SUBGRAPH_URLS: \\S+', `,${name}=http://${name}:${port}/graphql`, count);

const kustomizationEntries = (file, { last, name }) =>
  file
    .addAfter(`^  - ${last}\\.yaml\\n`, `  - ${name}.yaml\n`)
    .replace(`^(  - \\{ name: lectern-)${last}(, newTag: .*\\}\\n)`, `$&$1${name}$2`);

const networkPolicies = (file, { last, lastPort, name, port, values }) =>
  file
    .replace(`^(.*component, operator: In, values: \\[.*)\\]`, `$1, ${name}]`)
    .addAfter(
      `component: ${last} \\}\\n +ports:\\n +- \\{ port: ${lastPort} \\}\\n`,
      fillTemplate('network-policy-egress', values),
    )
    .addAfter(`^ +- \\{ port: ${lastPort} \\}\\n(?=---)`, `        - { port: ${port} }\n`);

const scrapedName = (file, { last, name }) => file.addAfter(`names: \\[.*, ${last}(?=[,\\]])`, `, ${name}`);

const standaloneDependency = (file, { name }) =>
  asJson('packages/standalone/package.json', file, (manifest) => addDependency(manifest, name));

const standaloneSubgraph = (file, { name, Name }) =>
  file
    .addBefore("^import .* from '@lectern/text';$", `import { create${Name}Subgraph } from '@lectern/${name}';\n`)
    .addAfter('^const laterSubgraphs = \\[[^\\]]*', `, '${name}'`)
    .addBefore(
      "^    \\},\\n  \\};\\n\\}\\n\\n/\\*\\* Creates the gateway's transport",
      `      opened.push(create${Name}Subgraph(common));\n`,
    );

/** The entries that `npm install` would write for the new workspace. */
const lockFileEntries = (file, { name, manifest: { version, license, dependencies } }) =>
  asJson('package-lock.json', file, (lock) => {
    const packages = {
      ...lock.packages,
      [`node_modules/@lectern/${name}`]: { resolved: `services/${name}`, link: true },
      [`services/${name}`]: { name: `@lectern/${name}`, version, license, dependencies },
      'packages/standalone': addDependency(lock.packages['packages/standalone'], name),
    };
    return { ...lock, packages: sorted(packages) };
  });

const settingsSection = (file, { name, port, data }) => {
  const settings = subgraphSettings({ name, defaultPort: Number(port), data });
  return file.addBefore(
    '^## Fetching the texts',
    `## The ${name} subgraph: \`npm run start -w services/${name}\`\n\n${settingsTable(settings)}\n\n`,
  );
};

const architectureLine = (file, { last, name }) =>
  file.addAfter(`^services/${last}/ .*\\n`, `${`services/${name}/`.padEnd(24)}subgraph: describe it here\n`);

const asJson = (name, file, edit) => editable(name, `${JSON.stringify(edit(JSON.parse(file.toString())), null, 2)}\n`);

const addDependency = (manifest, name) => ({
  ...manifest,
  dependencies: sorted({ ...manifest.dependencies, [`@lectern/${name}`]: '*' }),
});

/** Sorts the keys of an object as npm does in package.json and package-lock.json. */
const sorted = (record) =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => one.localeCompare(other, 'en')));
