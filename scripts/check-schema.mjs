// Lists what the schemas of this working tree change for clients. Fails on a breaking change that
// is not allowed, and on an invalid client operation.
import { failure, runCommand } from './command-line.mjs';
import {
  allowedBreaksFile,
  checkChanges,
  contractFile,
  operationsFolder,
  operationsOfPackages,
} from './schema/check-changes.mjs';
import { operationFiles } from './schema/check-operations.mjs';
import { composeSubgraphs, readSubgraphs } from './schema/compose-subgraphs.mjs';
import { maxGrowthOption, parseMaxGrowth } from './schema/fetches.mjs';
import { formatReport } from './schema/format-report.mjs';
import { readReferenceSchema } from './schema/read-reference-schema.mjs';

await runCommand({
  name: 'npm run check:schema --',
  description: 'Composes the subgraphs of this working tree and lists what they change for clients.',
  options: [
    ['--against <schema>', `also compare with FILE or git:REF (always compares with ${contractFile})`],
    ['--config <file>', "list of the subgraphs, in Rover's format", 'supergraph.yaml'],
    maxGrowthOption,
    ['--json', 'print the report as JSON'],
  ],
  help: `  --against FILE     a supergraph or an API schema
  --against git:REF  supergraph.graphql of a branch, tag or commit, such as git:origin/main

The command also validates the operations of ${operationsFolder}, ${operationsOfPackages.join(', ')}
and each subgraph's examples.graphql.
A breaking change fails unless ${allowedBreaksFile} allows it, or ${contractFile} marks the removed field as unsupported.
Fetches are counted if --against has a supergraph. ${allowedBreaksFile} can allow the growth of one operation.
Exit status: 0 passed, 1 failed, 2 invalid command line.`,
  run: async ({ against, config, maxFetchesGrowth, json = false }) => {
    const maxGrowth = parseMaxGrowth(maxFetchesGrowth);
    const references = [
      ...(against === undefined ? [] : [{ ...readReferenceSchema(against), isContract: false }]),
      { ...readReferenceSchema(contractFile), isContract: true },
    ];
    try {
      const report = await checkSchema(references, config, maxGrowth);
      console.log(json ? JSON.stringify(report, null, 2) : formatReport(report, allowedBreaksFile).join('\n'));
      return report.passes ? 0 : 1;
    } catch (error) {
      // If the subgraphs do not compose, there is no report. With --json, the errors are printed as JSON.
      if (!json || error.exitStatus !== failure().exitStatus) throw error;
      console.log(JSON.stringify({ passes: false, errors: error.message.split('\n') }, null, 2));
      return error.exitStatus;
    }
  },
});

/** Composes the working tree, and compares it with the references. */
function checkSchema(references, config, maxGrowth) {
  const subgraphs = readSubgraphs(config);
  const files = operationFiles(subgraphs, operationsOfPackages, operationsFolder);
  return checkChanges({
    subgraphs,
    supergraphSdl: composeSubgraphs(subgraphs),
    name: config,
    references,
    files,
    maxGrowth,
    now: Date.now(),
  });
}
