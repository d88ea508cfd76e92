import { isDeepStrictEqual } from 'node:util';
import autocannon from 'autocannon';
import { cpuSeconds } from './usage.mjs';

const answersWithinMs = 10_000;
const silentTries = 3;

/** How a list of errors begins in JSON. The bare word will not do: it stands in the Bible, and among the words of a verse. */
const errorList = '"errors":[';

const httpRequest = ({ speaks, headers }, { body, path }) =>
  speaks === 'json' ? { method: 'GET', path, headers } : { method: 'POST', path: '/graphql', headers, body };

/** What a contender says to one request, as the value of the field that was asked for. */
export async function answerOf(contender, request) {
  const { path, ...init } = httpRequest(contender, request);
  const response = await fetch(contender.origin + path, { ...init, signal: AbortSignal.timeout(answersWithinMs) });
  const text = await response.text();
  if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
  const answer = JSON.parse(text);
  if (contender.speaks === 'json') return answer;
  if (answer.errors) throw new Error(`it answers with the error "${answer.errors[0].message}"`);
  return answer.data[request.field];
}

/** Throws where the contender's answers to some of the operation's requests are not those expected. */
export async function checkAnswers(contender, requests, expected) {
  for (const [index, request] of requests.entries()) {
    const answer = await answerOf(contender, request);
    if (!isDeepStrictEqual(answer, expected[index]))
      throw new Error(`its answer differs: ${JSON.stringify(answer).slice(0, 200)}`);
  }
}

/**
 * Asks as fast as the answers come, on so many connections, and says what that took on either side. A measurement without any answer is taken
 * again: on a busy machine all callers may still be waiting for their first one when the time is over.
 */
export async function measure(contender, operation, options) {
  for (let tries = 0; tries < silentTries; tries += 1) {
    const measured = await measureOnce(contender, operation, options);
    if (measured) return measured;
  }
  throw new Error(`it answered nothing, ${silentTries} times for ${options.seconds} seconds`);
}

async function measureOnce(contender, { turns }, { connections, seconds, subgraphPids }) {
  const latencies = [];
  const shares = sharesOf(contender, turns, connections);
  const usage = () => ({
    router: cpuSeconds([contender.pid]),
    subgraphs: cpuSeconds(subgraphPids),
    client: process.cpuUsage(),
  });
  let next = 0;

  const load = autocannon({
    url: contender.origin,
    connections,
    duration: seconds,
    sampleInt: 100,
    setupClient(client) {
      client.setRequests(shares[next % shares.length]);
      next += 1;
    },
    verifyBody: (body) => body.length > 0 && !body.includes(errorList),
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
      `under load ${non2xx} requests were refused, ${errors} failed, ${timeouts} took too long, ${mismatches} had errors in the answer${mismatch === null ? '' : `, the first: ${errorsIn(mismatch)}`}`,
    );
  if (latencies.length === 0) return null;
  const each = (was, is) => (was === null || is === null ? null : ((is - was) * 1_000) / latencies.length);
  const ownCpu = process.cpuUsage(before.client);
  return {
    rate: latencies.length / took,
    latencies,
    routerCpu: each(before.router, after.router),
    subgraphsCpu: each(before.subgraphs, after.subgraphs),
    clientCpu: (ownCpu.user + ownCpu.system) / 1_000 / latencies.length,
  };
}

const errorsIn = (body) => body.slice(Math.max(0, body.indexOf(errorList))).slice(0, 300) || 'an empty body';

/** Each connection has requests of its own, so that callers do not ask in step for the same. */
const sharesOf = (contender, turns, connections) =>
  Array.from({ length: Math.min(connections, turns.length) }, (_, share) =>
    turns
      .filter((_, index) => index % connections === share)
      .flat()
      .map((request) => httpRequest(contender, request)),
  );
