// Functions that start a deployment and measure the latency of `verse` at a fixed rate.
// bench/fairness.mjs and bench/downloads.mjs use them, alone and beside other load.
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { createOperations } from './benchmark-operations.mjs';
import { startSubgraphs, writeSupergraph } from './start.mjs';

const require = createRequire(import.meta.url);
const { openCorpus } = require('../../packages/corpus/dist/index.js');
const { createRandom, freePort } = require('../../packages/testing/dist/index.js');

/** The name of the gateway in gateways.mjs, by deployment. */
const gatewayNames = { embedded: 'lectern-embedded', distributed: 'lectern' };

/**
 * Starts a deployment. Resolves with its origin, such as http://127.0.0.1:4000.
 *
 * @param {ReturnType<typeof import('./child-processes.mjs').createProcesses>} processes
 * @param {'embedded' | 'distributed'} deployment
 * @param {{ root: string, dataDir: string, supergraphFile: string, gateways: any[], env?: Record<string, string> }} options
 *   `env` has more settings of the processes
 */
export async function startDeployment(processes, deployment, { root, dataDir, supergraphFile, gateways, env = {} }) {
  if (deployment === 'distributed')
    writeSupergraph(supergraphFile, root, await startSubgraphs(processes, { root, dataDir, env }));
  const origin = `http://127.0.0.1:${await freePort()}`;
  const gateway = gateways.find(({ name }) => name === gatewayNames[deployment]);
  const command = gateway.command(Number(new URL(origin).port));
  await processes.start({ ...command, env: { ...command.env, ...env } }, async () => {
    const { ok, status } = await fetch(`${origin}/ready`);
    return ok ? null : `status ${status}`;
  });
  return origin;
}

/** Returns the bodies of 640 requests for a verse. */
export function readVerseBodies(dataDir) {
  const corpus = openCorpus(dataDir);
  const verse = createOperations(corpus, createRandom(20_261_122)).find(({ name }) => name === 'verse');
  corpus.close();
  if (!verse || !('turns' in verse)) throw new Error('The operation `verse` is missing');
  return verse.turns.map(([{ body }]) => body);
}

/** Sends a GraphQL request. Resolves with the text of the response. `address` is for X-Forwarded-For. */
export async function sendGraphQL(origin, token, body, address) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    ...(address && { 'x-forwarded-for': address }),
  };
  const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body });
  return response.text();
}

/**
 * Sends requests for verses, or of another `field`, at a fixed rate. Resolves with their latencies in milliseconds. A latency
 * counts from the time when the request was due, even if it was sent later.
 *
 * @param {string} origin
 * @param {{ token: string, bodies: string[], perSecond: number, seconds: number, field?: string, address?: string, failures?: string[] }} load
 *   with `failures`, failed requests are added there, and count like others
 */
export async function measureVerses(origin, { token, bodies, perSecond, seconds, field = 'verse', address, failures }) {
  const latencies = [];
  const pending = [];
  const startedAt = performance.now();
  for (let index = 0; index < seconds * perSecond; index += 1) {
    const dueAt = startedAt + (index * 1_000) / perSecond;
    await wait(Math.max(0, dueAt - performance.now()));
    pending.push(
      sendGraphQL(origin, token, bodies[index % bodies.length], address).then((text) => {
        if (!text.startsWith(`{"data":{"${field}":`)) {
          if (!failures) throw new Error(`A request for ${field} failed: ${text.slice(0, 200)}`);
          failures.push(text);
        }
        latencies.push(performance.now() - dueAt);
      }),
    );
  }
  await Promise.all(pending);
  return latencies;
}

/** @param {number[]} latencies */
export function percentile(latencies, share) {
  const sorted = latencies.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** @param {number[]} latencies */
export const describeLatencies = (latencies) =>
  `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p95 ${percentile(latencies, 0.95).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms, max ${percentile(latencies, 1).toFixed(1)} ms`;
