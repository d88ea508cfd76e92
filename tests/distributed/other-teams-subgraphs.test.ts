import type { IncomingMessage } from 'node:http';
import { graphqlHeaders, send } from '@lectern/testing';
import { type FakeSubgraph, startFakeSubgraph, unavailableAt } from '../support/fake-subgraph';
import { openProcesses, type TestProcesses } from '../support/processes';

/** How the subgraph of another team, which serves our field `languages`, responds. */
interface Reply {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

const data = { languages: [{ code: 'eng' }] };
const query = '{ languages { code } }';
const errorsOf = (message: string, code?: string) => ({
  errors: [{ message, ...(code !== undefined && { extensions: { code } }) }],
});
const masked = { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };

let processes: TestProcesses;
let subgraph: FakeSubgraph;
let reply: Reply = {};
let received: IncomingMessage[] = [];

beforeAll(async () => {
  processes = await openProcesses();
  subgraph = await startFakeSubgraph((response, request) => {
    received.push(request);
    const { status = 200, headers, body = { data } } = reply;
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});
afterAll(async () => {
  await processes.close();
  await subgraph.close();
});
beforeEach(() => {
  reply = {};
  received = [];
});

const serveGateway = (env: Record<string, string> = {}) => processes.serveGateway({ text: [subgraph.origin] }, env);

/** The logged lines that have a member, as objects. */
const linesWith = (output: string, member: string): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"${member}"`))
    .map((line) => JSON.parse(line));

test.each([400, 401, 403, 404, 500, 503])(
  'the errors of a subgraph that responds with the status %s and a GraphQL body reach the client, and those with an unknown code are masked and logged with the name of the subgraph',
  async (status) => {
    const { gateway, client } = await serveGateway();
    reply = { status, body: errorsOf('no such translation', 'NOT_FOUND') };
    expect(await client(query)).toMatchObject({
      data: { languages: null },
      errors: [{ message: 'no such translation', extensions: { code: 'NOT_FOUND' } }],
    });
    reply = { status, body: errorsOf('the secret of another team', 'TEAM_CODE') };
    const response = await client(query);
    expect(response).toMatchObject({ data: { languages: null }, errors: [masked] });
    expect(JSON.stringify(response)).not.toContain('team');
    const [line] = linesWith(gateway.output(), 'error');
    expect(line).toMatchObject({ subgraph: 'text', error: 'the secret of another team', msg: 'a field failed' });
    await processes.stop(gateway);
  },
);

test.each([401, 403])(
  'a subgraph that responds %s receives further requests, whatever the body, and the log names the subgraph once and does not mention SUBGRAPH_SECRET',
  async (status) => {
    const { gateway, client } = await serveGateway();
    for (const body of [errorsOf('sign in', 'FORBIDDEN'), '<h1>Forbidden</h1>', {}])
      for (let time = 0; time < 8; time += 1) {
        reply = {
          status,
          body,
          headers: { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' },
        };
        const failed = await client(query);
        expect(failed).toMatchObject({ data: { languages: null } });
        if (typeof body === 'string') expect(failed.errors).toEqual([unavailableAt('languages')]);
        reply = {};
        expect(await client(query)).toEqual({ data });
      }
    for (let time = 0; time < 20; time += 1) {
      reply = { status, body: '' };
      await client(query);
    }
    reply = {};
    expect(await client(query)).toEqual({ data });
    expect(linesWith(gateway.output(), 'status').filter(({ subgraph: name }) => name === 'text')).toMatchObject([
      { subgraph: 'text', status, msg: expect.stringContaining('denies a request') },
    ]);
    expect(gateway.output()).not.toContain('circuit open');
    expect(gateway.output()).not.toContain('SUBGRAPH_SECRET');
    await processes.stop(gateway);
  },
);
