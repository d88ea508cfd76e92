import { serverAudits } from 'graphql-http';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

let lectern: EmbeddedLectern;
beforeAll(async () => {
  lectern = await startEmbeddedLectern();
});
afterAll(() => lectern.close());

/** What the audits send, with our key where one is given. */
const fetchWith =
  (token: string | null): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    if (token !== null) headers.set('Authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };

test('the GraphQL over HTTP audits pass; what they notice is that GET is not offered', async () => {
  const results = await Promise.all(
    serverAudits({ url: lectern.url, fetchFn: fetchWith(lectern.token) }).map((audit) => audit.fn()),
  );
  expect(results.length).toBeGreaterThan(50);
  expect(
    results
      .filter(({ status }) => status === 'error' || status === 'warn')
      .map(({ name, ...rest }) => ({ name, ...rest })),
  ).toEqual([]);
  const notices = results.filter(({ status }) => status === 'notice').map(({ name }) => name);
  expect(notices).toHaveLength(3);
  expect(notices.every((name) => name.includes('GET'))).toBe(true);
});

test('without a key each of their requests is 401', async () => {
  const statuses: number[] = [];
  const watching: typeof fetch = async (input, init) => {
    const response = await fetchWith(null)(input, init);
    statuses.push(response.status);
    return response;
  };
  await Promise.all(serverAudits({ url: lectern.url, fetchFn: watching }).map((audit) => audit.fn()));
  expect(statuses.length).toBeGreaterThan(50);
  expect(new Set(statuses)).toEqual(new Set([401]));
});
