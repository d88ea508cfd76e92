import { isDeepStrictEqual } from 'node:util';
import autocannon from 'autocannon';
import { cpuSeconds } from './process-usage.mjs';

const responseTimeoutMs = 10_000;
const maxAttempts = 3;

/** The beginning of a list of errors in JSON. The bare word "errors" could also occur in a verse. */
const errorsPrefix = '"errors":[';

const httpRequest = ({ protocol, headers }, { body, path }) =>
  protocol === 'json' ? { method: 'GET', path, headers } : { method: 'POST', path: '/graphql', headers, body };

/** Sends one request. Returns the value of the requested field, and throws if the response has errors. */
export async function fetchResult(gateway, request) {
  const { path, ...init } = httpRequest(gateway, request);
  const response = await fetch(gateway.origin + path, { ...init, signal: AbortSignal.timeout(responseTimeoutMs) });
  const text = await response.text();
  if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
  const result = JSON.parse(text);
  if (gateway.protocol === 'json') return result;
  if (result.errors) throw new Error(`its response has the error "${result.errors[0].message}"`);
  return result.data[request.field];
}

/** Sends the requests and throws if a result differs from the expected one. */
export async function checkResults(gateway, requests, expected) {
  for (const [index, request] of requests.entries()) {
    const result = await fetchResult(gateway, request);
    if (!isDeepStrictEqual(result, expected[index]))
      throw new Error(`its result differs: ${JSON.stringify(result).slice(0, 200)}`);
  }
}

/**
 * Sends requests on each connection as fast as responses arrive, and measures rate, latency and CPU. A
 * measurement without any response is repeated: on a busy machine the first responses may take longer
 * than the measurement.
 */
export async function measure(gateway, operation, options) {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const measured = await measureOnce(gateway, operation, options);
    if (measured) return measured;
  }
  throw new Error(`no response in ${maxAttempts} measurements of ${options.seconds} seconds`);
}

async function measureOnce(gateway, { turns }, { connections, seconds, subgraphPids }) {
  const latencies = [];
  const shares = sharesOf(gateway, turns, connections);
  const usage = () => ({
    gateway: cpuSeconds([gateway.pid]),
    subgraphs: cpuSeconds(subgraphPids),
    client: process.cpuUsage(),
  });
  let next = 0;

  const load = autocannon({
    url: gateway.origin,
    connections,
    duration: seconds,
    sampleInt: 100,
    setupClient(client) {
      client.setRequests(shares[next % shares.length]);
      next += 1;
    },
    verifyBody: (body) => body.length > 0 && !body.includes(errorsPrefix),
  });
  const before = usage();
  const began = performance.now();
  let mismatch = null;
  load.on('reqMismatch', (body) => (mismatch ??= body));
  load.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { non2xx, errors, timeouts, mismatches } = await load;
  const took = (performance.now() - began) / 1_000;
  const after = usage();

  if (non2xx + errors + timeouts + mismatches > 0)
    throw new Error(
      `under load ${non2xx} requests were rejected, ${errors} failed, ${timeouts} timed out, ${mismatches} responses had errors${mismatch === null ? '' : `, the first: ${errorsIn(mismatch)}`}`,
    );
  if (latencies.length === 0) return null;
  const perRequest = (was, is) => (was === null || is === null ? null : ((is - was) * 1_000) / latencies.length);
  const ownCpu = process.cpuUsage(before.client);
  return {
    rate: latencies.length / took,
    latencies,
    gatewayCpu: perRequest(before.gateway, after.gateway),
    subgraphsCpu: perRequest(before.subgraphs, after.subgraphs),
    clientCpu: (ownCpu.user + ownCpu.system) / 1_000 / latencies.length,
  };
}

const errorsIn = (body) => body.slice(Math.max(0, body.indexOf(errorsPrefix))).slice(0, 300) || 'an empty body';

/** Divides the requests among the connections, so that connections do not send the same request at the same time. */
const sharesOf = (gateway, turns, connections) =>
  Array.from({ length: Math.min(connections, turns.length) }, (_, share) =>
    turns
      .filter((_, index) => index % connections === share)
      .flat()
      .map((request) => httpRequest(gateway, request)),
  );
