import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const require = createRequire(join(fileURLToPath(import.meta.url), '..', '..', '..', 'gateway', 'package.json'));
const { Pool } = require('undici');

/**
 * Creates functions that send a list of requests, over at most `connections` persistent connections to each origin. A
 * request without a method and a path is a GraphQL request.
 *
 * @typedef {{ method?: string, path?: string, headers: Record<string, string> | string[], body?: string | Buffer }} LoadRequest
 * @param {number} connections
 */
export function createLoad(connections) {
  const pools = new Map();
  /** @param {string} origin @param {LoadRequest} request */
  const send = async (origin, { method = 'POST', path = '/graphql', headers, body }) => {
    const pool = pools.get(origin) ?? new Pool(origin, { connections, pipelining: 1 });
    pools.set(origin, pool);
    const response = await pool.request({ method, path, headers, body });
    const text = await response.body.text();
    if (response.statusCode !== 200 || text.includes('"errors":['))
      throw new Error(`status ${response.statusCode}: ${text.slice(0, 200)}`);
  };
  return {
    /**
     * Sends requests one after the other on each connection. Resolves with the number of requests.
     *
     * @param {string} origin @param {LoadRequest[]} requests @param {{ seconds: number }} options
     */
    async atFullSpeed(origin, requests, { seconds }) {
      const endAt = performance.now() + seconds * 1_000;
      let sent = 0;
      const sendUntilEnd = async () => {
        while (performance.now() < endAt) await send(origin, requests[sent++ % requests.length]);
      };
      await Promise.all(Array.from({ length: connections }, sendUntilEnd));
      return sent;
    },

    /**
     * Sends each request once, one after the other on each connection. Resolves with the latencies in milliseconds.
     *
     * @param {string} origin @param {LoadRequest[]} requests
     */
    async eachOnce(origin, requests) {
      const latencies = [];
      let next = 0;
      const sendUntilEnd = async () => {
        while (next < requests.length) {
          const began = performance.now();
          await send(origin, requests[next++]);
          latencies.push(performance.now() - began);
        }
      };
      await Promise.all(Array.from({ length: connections }, sendUntilEnd));
      return latencies;
    },

    /**
     * Sends requests at a fixed rate, spread evenly. Resolves with the number of requests.
     *
     * @param {string} origin @param {LoadRequest[]} requests @param {{ seconds: number, perSecond: number }} options
     */
    async atRate(origin, requests, { seconds, perSecond }) {
      const beganAt = performance.now();
      const total = Math.floor(seconds * perSecond);
      const pending = [];
      while (pending.length < total) {
        const due = Math.min(total, ((performance.now() - beganAt) * perSecond) / 1_000);
        while (pending.length < due) pending.push(send(origin, requests[pending.length % requests.length]));
        await wait(1);
      }
      await Promise.all(pending);
      return total;
    },

    close: () => Promise.all([...pools.values()].map((pool) => pool.destroy())),
  };
}
