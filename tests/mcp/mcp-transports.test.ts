import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@lectern/serving';
import { freePort, metricValue, send, spawnProcess, useStarted } from '@lectern/testing';
import { waitUntil } from '../support/processes';
import { connectOverHttp, lookUpOverHttp, mcpMain, startMcpHttpServer } from './mcp-fixture';

/**
 * Starts a GraphQL service that never responds. `requested` resolves when the query of the MCP tool
 * look_up_passage arrives, and `ended` when the MCP server has closed the connection of this query.
 */
async function startSilentService() {
  let [onRequest, onEnd] = [() => {}, () => {}];
  const requested = new Promise<void>((resolve) => (onRequest = resolve));
  const ended = new Promise<void>((resolve) => (onEnd = resolve));
  const service = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      if (!chunk.includes('McpPassage')) return;
      response.on('close', onEnd);
      onRequest();
    });
  });
  const { port, close } = await listen(service, { host: '127.0.0.1', port: 0 });
  return { url: `http://127.0.0.1:${port}/graphql`, requested, ended, close: () => close({ graceMs: 0 }) };
}

describe('the MCP server over HTTP', () => {
  const server = useStarted(() => startMcpHttpServer('http://127.0.0.1:9/graphql'));

  const post = (headers: string[], url: string) =>
    send(url, { headers: ['Content-Type', 'application/json', ...headers], body: '{}' });
  const key = () => ['Authorization', 'Bearer svc_test_unknown'];

  test.each<[number, string, () => string[], (url: string) => string]>([
    [401, 'without a key', () => [], (url) => url],
    [401, 'with a key without the scheme Bearer', () => ['Authorization', 'svc_test_unknown'], (url) => url],
    [401, 'with a key that has a letter outside ASCII', () => ['Authorization', 'Bearer é'], (url) => url],
    [403, 'that names another host', key, (url) => url.replace('127.0.0.1', 'localhost')],
    [403, 'from a page of another site', () => ['Origin', 'https://evil.example', ...key()], (url) => url],
    [404, 'to another path', key, (url) => `${url}/more`],
    [400, 'with a body that is not an MCP message', key, (url) => url],
  ])('the MCP server over HTTP responds %i and an error message to a request %s', async (status, _, headers, urlOf) => {
    const response = await post(headers(), urlOf(server.url));
    expect({ status: response.status, message: messageOf(response) }).toEqual({
      status,
      message: expect.stringMatching(/./),
    });
  });

  /** Returns the message of an error of the protocol, or of an error of the service. */
  const messageOf = (response: { json(): unknown }) => {
    const { error, errors } = response.json() as Record<
      'error' | 'errors',
      { message: string } & { message: string }[]
    >;
    return (error ?? errors[0]).message;
  };

  test('the MCP server over HTTP responds 405 to GET, because it has no sessions', async () => {
    expect((await send(server.url, { method: 'GET', headers: key() })).status).toBe(405);
  });

  test('the MCP server over HTTP aborts its request to Lectern when the MCP client cancels a tool call', async () => {
    const service = await startSilentService();
    const server = await startMcpHttpServer(service.url);
    const client = await connectOverHttp(server.url, 'key');
    const controller = new AbortController();
    const called = client.callTool(
      { name: 'look_up_passage', arguments: { reference: 'John 11:35' } },
      { signal: controller.signal },
    );
    const rejection = called.catch((error: Error) => error.name);
    await service.requested;
    controller.abort();
    expect(await rejection).toMatch(/Error/);
    await service.ended;
    await client.close();
    await server.close();
    await service.close();
  });
});

describe('the MCP server over stdio', () => {
  const message = (id: number | null, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', ...(id !== null && { id }), method, params })}\n`;

  test('the MCP server over stdio writes only MCP messages, cancels tool calls on request, and exits when its input ends', async () => {
    const service = await startSilentService();
    const env = {
      LECTERN_URL: service.url,
      LECTERN_KEY: 'svc_test_unknown',
      LOG_LEVEL: 'debug',
      LECTERN_DEADLINE_MS: '3600000',
    };
    const child = spawn(process.execPath, [mcpMain], { env, stdio: 'pipe' });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const [output, log] = [text(child.stdout), text(child.stderr)];
    const clientInfo = { name: 'tests', version: '1.0.0' };
    child.stdin.write('this is not JSON\n');
    child.stdin.write(message(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));
    child.stdin.write(message(2, 'tools/call', { name: 'look_up_passage', arguments: { reference: '' } }));
    child.stdin.write(message(3, 'tools/call', { name: 'look_up_passage', arguments: { reference: 'John 3' } }));
    await service.requested;
    child.stdin.write(message(null, 'notifications/cancelled', { requestId: 3 }));
    await service.ended;
    // This call is in flight when standard input ends.
    child.stdin.write(message(4, 'tools/call', { name: 'look_up_passage', arguments: { reference: 'John 4' } }));
    child.stdin.end();
    expect(await exited).toBe(0);
    const lines = (await output).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { id: 1 },
      { id: 2, result: { isError: true } },
    ]);
    expect(await log).not.toContain(env.LECTERN_KEY);
    await service.close();
  });

  test('the MCP server over stdio exits if LECTERN_KEY is not set, and its message says where to get an API key', async () => {
    const { ended, output } = spawnProcess('packages/mcp/dist/main.js', {});
    expect(await ended).toBe(1);
    expect(output()).toMatch(/^LECTERN_KEY is not set\..*\/api-keys\/request/);
  });

  test('the option --help of the MCP server lists the option --http and the settings LECTERN_URL and LECTERN_KEY', async () => {
    const { ended, output } = spawnProcess('packages/mcp/dist/main.js', {}, ['--help']);
    expect(await ended).toBe(0);
    expect(output()).toMatch(/npm run mcp -- --http[^]*LECTERN_URL[^]*LECTERN_KEY/);
  });
});

describe('the process of the MCP server with --http', () => {
  let [port, metricsPort, servicePort] = [0, 0, 0];
  let started: ReturnType<typeof spawnProcess>;
  beforeAll(async () => {
    [port, metricsPort, servicePort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DRAIN_MS: '300',
      LECTERN_URL: `http://127.0.0.1:${servicePort}/graphql`,
    };
    started = spawnProcess('packages/mcp/dist/main.js', env, ['--http']);
    await waitUntil(() => started.output().includes(`http://127.0.0.1:${port}/mcp`));
  });
  afterAll(() => started.child.kill('SIGKILL'));

  const get = (path: string) =>
    send(`http://127.0.0.1:${port}${path}`, { method: 'GET', headers: ['Host', '10.0.0.1'] });
  const lookUp = () => lookUpOverHttp(`http://127.0.0.1:${port}/mcp`, 'svc_test_unknown');
  const calls = async (errorType: string) =>
    metricValue(
      (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text,
      'mcp_server_operation_duration_seconds_count',
      `gen_ai_tool_name="look_up_passage",error_type="${errorType}"`,
    );

  test('while Lectern is unreachable, the MCP server with --http stays ready, and reports the outage', async () => {
    expect((await get('/health')).json()).toEqual({ status: 'ok' });
    const ready = await get('/ready');
    expect([ready.status, ready.json()]).toEqual([
      200,
      {
        status: 'ready',
        degraded: [{ service: 'Lectern', reason: expect.stringMatching(/^it cannot be reached: .*ECONNREFUSED/) }],
      },
    ]);
    await waitUntil(() => started.output().includes('The service cannot be reached (ECONNREFUSED).'));
    expect((await lookUp()).text).toContain('The service cannot be reached (ECONNREFUSED).');
    expect(await calls('NETWORK_ERROR')).toBe(1);
  });

  test('after SIGTERM, the MCP server with --http responds 503 to /ready, completes its tool call in flight, and exits with 0', async () => {
    let respond = () => {};
    const requested = new Promise<void>((resolve) => {
      const service = createServer((request, response) => {
        if (request.url === '/ready') return response.end();
        respond = () =>
          response
            .setHeader('Content-Type', 'application/json')
            .end('{"errors":[{"message":"No.","extensions":{"code":"NOT_FOUND"}}]}');
        resolve();
        return service.close();
      });
      service.listen(servicePort, '127.0.0.1');
    });
    await waitUntil(async () => !(await get('/ready')).text.includes('degraded'));
    const called = lookUp();
    await requested;
    started.child.kill('SIGTERM');
    await waitUntil(async () => (await get('/ready')).status === 503);
    respond();
    expect((await called).text).toContain('list_translations names the translations');
    expect(await started.ended).toBe(0);
  });
});
