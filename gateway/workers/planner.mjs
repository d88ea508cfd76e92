// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none

// The worker thread that plans large operations, because planning would block the event loop. This
// file is plain JavaScript, so that both the tests, which run TypeScript sources, and the compiled
// gateway can start it.
import { parentPort, workerData } from 'node:worker_threads';
import { operationFromDocument, Supergraph } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { parse } from 'graphql';

/** @typedef {import('../src/execution/plan/planner-thread.js').PlannerResponse} PlannerResponse */

/** @type {import('../src/execution/plan/planner-thread.js').PlannerData} */
const { supergraphSdl, plannerConfig } = workerData;
const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false });
const schema = supergraph.apiSchema();
const planner = new QueryPlanner(supergraph, plannerConfig);

/** @param {string} document */
function plan(document) {
  const operation = operationFromDocument(schema, parse(document, { noLocation: true }));
  return planner.buildQueryPlan(operation);
}

/** @param {string} document @returns {PlannerResponse} */
function respond(document) {
  try {
    return { plan: plan(document) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (document) => parentPort?.postMessage(respond(document)));
