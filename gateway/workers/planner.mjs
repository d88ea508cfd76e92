// The process of the query planner (gateway/src/execution/planner-process.ts). Receives a supergraph, and then one
// operation at a time. Sends the schema of the clients, and then a plan for each operation.
import { QueryPlanner } from '@graphql-hive/router-query-planner';

/** @type {QueryPlanner | null} */
let planner = null;
/** @type {Set<string>} */
const noLabels = new Set();

process.on('message', (/** @type {{ supergraphSdl: string } | { operation: string }} */ request) => {
  const isOperation = 'operation' in request;
  try {
    if (isOperation) process.send?.({ node: planner?.plan(request.operation, null, noLabels, 0).node });
    else {
      planner = new QueryPlanner(request.supergraphSdl);
      process.send?.({ clientSchema: planner.consumerSchema });
    }
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    process.send?.(isOperation ? { failed: message } : { invalid: message });
  }
});
// The gateway may end without a signal to this process.
process.on('disconnect', () => process.exit());
