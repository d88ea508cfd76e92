import type { IncomingMessage } from 'node:http';
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
    const replies: [Reply, unknown][] = [
      [
        { body: errorsOf('sign in', 'FORBIDDEN') },
        { ...masked, extensions: { ...masked.extensions, requestId: expect.any(String) } },
      ],
      [{ body: '<h1>Forbidden</h1>', headers: { 'content-type': 'text/html' } }, unavailableAt('languages')],
      [{ body: {} }, unavailableAt('languages')],
    ];
    for (const [denial, error] of replies) {
      reply = { status, ...denial };
      for (let time = 0; time < 8; time += 1)
        expect(await client(query)).toEqual({ data: { languages: null }, errors: [error] });
      reply = {};
      expect(await client(query)).toEqual({ data });
    }
    expect(linesWith(gateway.output(), 'status').filter(({ subgraph: name }) => name === 'text')).toMatchObject([
      { subgraph: 'text', status, msg: expect.stringContaining('denies a request') },
    ]);
    expect(gateway.output()).not.toContain('circuit open');
    expect(gateway.output()).not.toContain('SUBGRAPH_SECRET');
    await processes.stop(gateway);
  },
);

test.each(['auto', 'standard'])(
  'with EXECUTION_STRATEGY=%s, SUBGRAPH_EXPOSED_ERRORS lets the messages and codes of the named subgraphs through, and only these',
  async (EXECUTION_STRATEGY) => {
    const other = await startFakeSubgraph((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(errorsOf('the other', 'ALIEN'))),
    );
    const both = '{ languages { code } strongs(number: "G26") { number } }';
    const messages = async (exposed: string) => {
      const { gateway, client } = await processes.serveGateway(
        { text: [subgraph.origin], concordance: [other.origin] },
        { EXECUTION_STRATEGY, SUBGRAPH_EXPOSED_ERRORS: exposed },
      );
      const { errors = [] } = await client(both);
      await processes.stop(gateway);
      return errors.map(({ message, extensions }) => `${extensions?.['code']}: ${message}`).sort();
    };
    const internal = 'INTERNAL_SERVER_ERROR: Internal server error';
    reply = { status: 403, body: errorsOf('not yours', 'FORBIDDEN') };
    expect(await messages('')).toEqual([internal, internal]);
    expect(await messages('text')).toEqual(['FORBIDDEN: not yours', internal]);
    expect(await messages('study, concordance')).toEqual(['ALIEN: the other', internal]);
    reply = { body: { errors: [{ message: 'a team without codes', extensions: { subgraph: 'concordance' } }] } };
    expect(await messages('concordance')).toEqual(['ALIEN: the other', internal]);
    expect(await messages('*')).toEqual(['ALIEN: the other', 'INTERNAL_SERVER_ERROR: a team without codes']);
    await other.close();
  },
);

test('MAX_PARALLEL_FETCHES limits how many fetches of one operation the gateway sends at the same time, whatever their subgraphs', async () => {
  let inFlight = 0;
  let mostInFlight = 0;
  const slow = await startFakeSubgraph((response) => {
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}');
    }, 200);
  });
  const names = ['text', 'concordance', 'search'];
  const origins = Object.fromEntries(names.map((name) => [name, [slow.origin]]));
  const mostWith = async (env: Record<string, string>) => {
    const { gateway, client } = await processes.serveGateway(origins, { EXECUTION_STRATEGY: 'auto', ...env });
    mostInFlight = 0;
    await client('{ languages { code } strongs(number: "G26") { number } search(query: "a") { reference } }');
    await processes.stop(gateway);
    return mostInFlight;
  };
  expect(await mostWith({ MAX_PARALLEL_FETCHES: '1' })).toBe(1);
  expect(await mostWith({ MAX_PARALLEL_FETCHES: '2' })).toBe(2);
  expect(await mostWith({})).toBe(3);
  await slow.close();
});
