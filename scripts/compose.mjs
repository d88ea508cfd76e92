// Composes the subgraphs of supergraph.yaml into supergraph.graphql, or with --check says whether that file is still what they compose into.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { composeServices } from '@apollo/composition';
import { parse as parseGraphQL } from 'graphql';
import { parse as parseYaml } from 'yaml';

const usage = `Usage: npm run compose [-- --check] [--config FILE] [--out FILE]
  --check        write nothing; fail when the committed file differs from what the subgraphs compose into
  --config FILE  the subgraphs, in Rover's format (default supergraph.yaml)
  --out FILE     the composed supergraph (default supergraph.graphql)`;

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    config: { type: 'string', default: 'supergraph.yaml' },
    out: { type: 'string', default: 'supergraph.graphql' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const fail = (...lines) => {
  for (const line of lines) console.error(line);
  process.exit(1);
};

if (values.help) {
  console.log(usage);
  process.exit(0);
}

const config = readFile(values.config, (text) => parseYaml(text));
const services = readServices(config);
const { supergraphSdl, errors, hints } = composeServices(services);
if (errors) fail('The subgraphs do not compose:', ...errors.map((error) => `  ${error.extensions?.code ?? 'ERROR'}: ${error.message}`));
const warnings = (hints ?? []).filter((hint) => hint.definition.level.name === 'WARN');
if (warnings.length > 0) fail('Composition warns, and a warning is a fault here:', ...warnings.map((hint) => `  ${hint.definition.code}: ${hint.message}`));

const composed = `# Composed by \`npm run compose\` from ${values.config}. Do not edit: change a subgraph's schema and compose again.\n${supergraphSdl}\n`;
if (!values.check) {
  writeFileSync(values.out, composed);
  console.log(`${values.out}: ${services.length} subgraph${services.length === 1 ? '' : 's'} (${services.map((service) => service.name).join(', ')})`);
} else if (readFile(values.out, (text) => text) !== composed) {
  fail(`${values.out} is not what ${values.config} composes into. Run \`npm run compose\` and commit the result.`);
} else {
  console.log(`${values.out} is what ${values.config} composes into.`);
}

/** Rover takes a misspelt routingUrl without a word and writes an empty address; here every key is known or refused. */
function readServices(file) {
  const faults = [];
  const only = (where, object, keys) => {
    for (const key of Object.keys(object ?? {})) if (!keys.includes(key)) faults.push(`${where}: unknown key "${key}" (known: ${keys.join(', ')})`);
  };
  only(values.config, file, ['federation_version', 'subgraphs']);
  const entries = Object.entries(file?.subgraphs ?? {});
  if (entries.length === 0) faults.push(`${values.config}: no subgraphs`);
  const found = entries.map(([name, subgraph]) => {
    only(`subgraph "${name}"`, subgraph, ['routing_url', 'schema']);
    only(`subgraph "${name}", schema`, subgraph?.schema, ['file']);
    const url = subgraph?.routing_url;
    if (typeof url !== 'string' || !isHttpUrl(url)) faults.push(`subgraph "${name}": routing_url must be an http or https URL, and is ${JSON.stringify(url ?? null)}`);
    const schemaFile = subgraph?.schema?.file;
    if (typeof schemaFile !== 'string') {
      faults.push(`subgraph "${name}": schema.file must name its schema`);
      return null;
    }
    const path = resolve(dirname(values.config), schemaFile);
    const typeDefs = readFile(path, (text) => parseGraphQL(text));
    // The gateway hands a client's own operation to a subgraph that can answer it alone; its fragments name the root types.
    for (const { operationTypes = [] } of typeDefs.definitions.filter(({ kind }) => kind.startsWith('Schema'))) {
      for (const { operation, type } of operationTypes) {
        const usual = operation[0].toUpperCase() + operation.slice(1);
        if (type.name.value !== usual) faults.push(`subgraph "${name}": its ${operation} type must be named ${usual}, not ${type.name.value}`);
      }
    }
    return { name, url, typeDefs };
  });
  if (faults.length > 0) fail(...faults);
  return found;
}

function isHttpUrl(text) {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

function readFile(path, read) {
  try {
    return read(readFileSync(path, 'utf8'));
  } catch (error) {
    return fail(`${path}: ${error.message}`);
  }
}
