// Says what this tree's schemas change for clients, and fails on a break that nobody allowed.

import { readAllowances } from './schema/allowances.mjs';
import { compareSchemas, mergeChanges } from './schema/changes.mjs';
import { command, fault } from './schema/command.mjs';
import { checkOperations, operationFiles } from './schema/operations.mjs';
import { createLocate } from './schema/places.mjs';
import { readReference, readSchema } from './schema/reference.mjs';
import { reportLines } from './schema/report.mjs';
import { composeSubgraphs, readSubgraphs } from './schema/subgraphs.mjs';

const contractFile = 'tests/contract.graphql';
const operationsFolder = 'tests/operations';
const allowanceFile = 'tests/allowed-breaks.yaml';

const usage = `Usage: npm run check:schema [-- --against FILE|git:REF] [--config FILE] [--json]
  --against FILE     compare with a supergraph or an API schema, beside ${contractFile}
  --against git:REF  compare with supergraph.graphql of a branch, tag or commit, such as git:origin/main
  --config FILE      the subgraphs, in Rover's format (default supergraph.yaml)
  --json             the findings as JSON on stdout
Composes the subgraphs of this tree, lists what that changes for clients, and checks the operations of ${operationsFolder} and of the subgraphs'
examples. A breaking change fails unless ${allowanceFile} allows it. Exit status: 0 passes, 1 fails, 2 could not be asked like this.`;

const options = {
  against: { type: 'string' },
  config: { type: 'string', default: 'supergraph.yaml' },
  json: { type: 'boolean', default: false },
};

await command({
  usage,
  options,
  run: async ({ against, config, json }) => {
    const references = [
      ...(against === undefined ? [] : [readReference(against)]),
      { ...readReference(contractFile), isContract: true },
    ];
    try {
      const found = await check(references, config, Date.now());
      console.log(json ? JSON.stringify(found, null, 2) : reportLines(found, allowanceFile).join('\n'));
      return found.passes ? 0 : 1;
    } catch (error) {
      // A tree that does not compose has nothing to compare; who asked for JSON is told in JSON.
      if (!json || error.exitStatus !== fault().exitStatus) throw error;
      console.log(JSON.stringify({ passes: false, faults: error.message.split('\n') }, null, 2));
      return error.exitStatus;
    }
  },
});

async function check(references, config, now) {
  const subgraphs = readSubgraphs(config);
  const { schema } = readSchema(composeSubgraphs(subgraphs), config);
  const compared = await Promise.all(references.map((reference) => compareSchemas(reference, schema)));
  const locate = createLocate(
    subgraphs,
    references.flatMap((reference) => reference.subgraphs),
  );
  const { allowances, faults } = readAllowances(allowanceFile, now);
  const allowanceOf = (change) => allowances.find((allowance) => allowance.change === change.message) ?? null;

  const changes = mergeChanges(compared).map((change) => ({ ...change, places: locate(change.path) }));
  const breaking = changes
    .filter(({ level }) => level === 'breaking')
    .map((change) => ({ ...change, allowed: allowanceOf(change) }));
  const operations = checkOperations(operationFiles(subgraphs, operationsFolder), schema);
  // Beside the contract alone, a break of what the target branch promises is not seen, and its allowance is no idle one.
  const unused =
    references.length === 1
      ? []
      : allowances.filter((allowance) => !breaking.some(({ allowed }) => allowed === allowance));
  return {
    passes: breaking.every(({ allowed }) => allowed) && operations.faults.length === 0 && faults.length === 0,
    against: references.map(({ name }) => name),
    breaking,
    dangerous: changes.filter(({ level }) => level === 'dangerous'),
    safe: changes.filter(({ level }) => level === 'safe'),
    operations,
    allowances: { faults, unused },
  };
}
