import type { HttpResponse } from '@lectern/testing';
import { createGraphqlClient, graphqlHeaders, send } from '@lectern/testing';
import { parseList } from 'structured-headers';
import type { EmbeddedLectern } from './embedded-lectern';
import { issueKey, startEmbeddedLectern } from './embedded-lectern';

export const noon = Date.UTC(2026, 4, 1, 12, 0, 0);
export const second = 1_000;
export const minute = 60 * second;
export const day = 24 * 60 * minute;

const requestBody = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });

interface RequestOptions {
  token?: string;
  headers?: string[];
  body?: string;
  method?: string;
}

/**
 * Sends a POST with a query of low cost. The options can replace the token, the body and the
 * method, and add headers.
 */
export const post = (
  lectern: EmbeddedLectern,
  { token = lectern.token, headers = [], ...request }: RequestOptions = {},
): Promise<HttpResponse> =>
  send(lectern.url, { headers: [...graphqlHeaders(token), ...headers], body: requestBody, ...request });

/** Sends requests one after another and returns their statuses. */
export async function statuses(lectern: EmbeddedLectern, count: number, options?: RequestOptions): Promise<number[]> {
  const list: number[] = [];
  for (let index = 0; index < count; index += 1) list.push((await post(lectern, options)).status);
  return list;
}

/** One policy of the headers RateLimit-Policy and RateLimit. Times are in seconds. */
export interface RateLimitPolicy {
  readonly name: string;
  readonly max: number;
  readonly window: number;
  readonly remaining: number;
  readonly reset: number;
}

/**
 * Parses the headers RateLimit-Policy and RateLimit, which are lists of structured fields (RFC
 * 9651).
 */
export function policiesOf({ headers }: HttpResponse): RateLimitPolicy[] {
  const itemsOf = (header: string) =>
    new Map(parseList(String(headers[header])).map(([name, parameters]) => [String(name), parameters]));
  const states = itemsOf('ratelimit');
  const policies = itemsOf('ratelimit-policy');
  expect([...states.keys()]).toEqual([...policies.keys()]);
  return [...policies].map(([name, policy]) => ({
    name,
    max: Number(policy.get('q')),
    window: Number(policy.get('w')),
    remaining: Number(states.get(name)?.get('r')),
    reset: Number(states.get(name)?.get('t')),
  }));
}

type ServiceOptions = Parameters<typeof startEmbeddedLectern>[0];

/**
 * Returns functions that start services with a clock that the test sets, and close them. Tests with
 * equal options share a service, and each of these tests has its own day and key.
 */
export function createClockedServices() {
  const services = new Map<
    string,
    { lectern: EmbeddedLectern; offset: number; clock: { time: number }; uses: number }
  >();
  return {
    /** Calls `use` with a service whose clock shows noon. `clock.time` is in milliseconds. */
    async withClock(
      rates: { perMinute?: number; keyPerMinute?: number; perDay?: number },
      use: (lectern: EmbeddedLectern, clock: { time: number }) => Promise<void>,
      more: ServiceOptions = {},
    ): Promise<void> {
      const name = JSON.stringify({ rates, more });
      let service = services.get(name);
      if (!service) {
        const started = { offset: 0, clock: { time: noon }, uses: 0 };
        const lectern = await startEmbeddedLectern({
          rates: { perMinute: 0, keyPerMinute: 0, perDay: 0, keyRequestsPerHour: 0, ...rates },
          now: () => started.clock.time + started.offset,
          ...more,
        });
        service = Object.assign(started, { lectern });
        services.set(name, service);
      }
      service.uses += 1;
      // The clock of each test shows a later day, so that the counts of earlier tests have expired.
      service.offset = service.uses * 7 * day;
      service.clock.time = noon;
      const { lectern, clock, uses } = service;
      const { token } = await issueKey(lectern.keys, { email: `tester-${uses}@example.org` });
      await use({ ...lectern, token, client: createGraphqlClient(lectern.url, token) }, clock);
    },
    close: () => Promise.all([...services.values()].map(({ lectern }) => lectern.close())),
  };
}
