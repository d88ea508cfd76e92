// Lists what the schemas of this working tree change for clients. Fails on a breaking change that is not allowed.
import { failure, readText, runCommand } from './command-line.mjs';
import { findDroppedFields } from './schema/additional-fetches.mjs';
import { readAllowedBreaks } from './schema/allowed-breaks.mjs';
import { checkOperations, operationFiles } from './schema/check-operations.mjs';
import { compareSchemas, mergeChanges } from './schema/compare-schemas.mjs';
import { composeSubgraphs, parseDocument, readSubgraphs } from './schema/compose-subgraphs.mjs';
import { readReferenceSchema, readSchema } from './schema/reference-schema.mjs';
import { formatReport } from './schema/schema-report.mjs';
import { createSourceLineFinder } from './schema/source-lines.mjs';
import { createIsUnsupportedRemoval } from './schema/unsupported-elements.mjs';

const contractFile = 'tests/contract.graphql';
const operationsOfPackages = ['packages/client/documents.graphql', 'packages/mcp/documents.graphql'];
const operationsFolder = 'tests/operations';
const allowedBreaksFile = 'tests/allowed-breaks.yaml';

await runCommand({
  name: 'npm run check:schema --',
  description: 'Composes the subgraphs of this working tree and lists what they change for clients.',
  options: [
    ['--against <schema>', `also compare with FILE or git:REF (always compares with ${contractFile})`],
    ['--config <file>', "list of the subgraphs, in Rover's format", 'supergraph.yaml'],
    ['--json', 'print the report as JSON'],
  ],
  help: `  --against FILE     a supergraph or an API schema
  --against git:REF  supergraph.graphql of a branch, tag or commit, such as git:origin/main

The command also validates the operations of ${operationsFolder}, ${operationsOfPackages.join(', ')}
and each subgraph's examples.graphql.
A breaking change fails unless ${allowedBreaksFile} allows it, or ${contractFile} marks the removed field as unsupported.
Exit status: 0 passed, 1 failed, 2 invalid command line.`,
  run: async ({ against, config, json = false }) => {
    const references = [
      ...(against === undefined ? [] : [{ ...readReferenceSchema(against), isContract: false }]),
      { ...readReferenceSchema(contractFile), isContract: true },
    ];
    try {
      const report = await checkSchema(references, config, Date.now());
      console.log(json ? JSON.stringify(report, null, 2) : formatReport(report, allowedBreaksFile).join('\n'));
      return report.passes ? 0 : 1;
    } catch (error) {
      // Subgraphs that do not compose give no report. With --json the errors are printed as JSON too.
      if (!json || error.exitStatus !== failure().exitStatus) throw error;
      console.log(JSON.stringify({ passes: false, errors: error.message.split('\n') }, null, 2));
      return error.exitStatus;
    }
  },
});

/**
 * Compares the composed schema with each reference and validates the operations of clients.
 * `now` is in milliseconds and decides which allowed breaks have expired.
 */
async function checkSchema(references, config, now) {
  const subgraphs = readSubgraphs(config);
  const { schema, supergraph } = readSchema(composeSubgraphs(subgraphs), config);
  const comparisons = await Promise.all(references.map((reference) => compareSchemas(reference, schema)));
  const findSourceLines = createSourceLineFinder(
    subgraphs,
    references.flatMap((reference) => reference.subgraphs),
  );
  const { allowedBreaks, errors } = readAllowedBreaks(allowedBreaksFile, now);
  const allowanceFor = (change) => allowedBreaks.find((allowance) => allowance.change === change.message) ?? null;

  const isUnsupportedRemoval = createIsUnsupportedRemoval(parseDocument(readText(contractFile), contractFile));
  const changes = mergeChanges(comparisons).map((change) => ({
    ...change,
    level: isUnsupportedRemoval(change) ? 'safe' : change.level,
    places: findSourceLines(change.path),
  }));
  const breaking = changes
    .filter(({ level }) => level === 'breaking')
    .map((change) => ({ ...change, allowed: allowanceFor(change) }));
  const files = operationFiles(subgraphs, operationsOfPackages, operationsFolder);
  const operations = checkOperations(files, schema);
  const dropped = findDroppedFields(references, { subgraphs, supergraph }, files);
  // The contract alone does not show breaks of fields that only the target branch has.
  // Without --against, an allowance for such a break would wrongly be reported as unused.
  const unused =
    references.length === 1
      ? []
      : allowedBreaks.filter((allowance) => !breaking.some(({ allowed }) => allowed === allowance));
  return {
    passes: breaking.every(({ allowed }) => allowed) && operations.errors.length === 0 && errors.length === 0,
    against: references.map(({ name }) => name),
    breaking,
    dangerous: changes.filter(({ level }) => level === 'dangerous'),
    safe: changes.filter(({ level }) => level === 'safe'),
    dropped: { ...dropped, fields: dropped.fields.map((field) => ({ ...field, places: findSourceLines(field.path) })) },
    operations,
    allowances: { errors, unused },
  };
}
