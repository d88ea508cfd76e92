import type { ServerResponse } from 'node:http';
import type { StartedProcess } from '@lectern/testing';
import { freePort, graphqlHeaders, send } from '@lectern/testing';
import type { OtlpCollector } from '../support/otlp-collector';
import { startOtlpCollector } from '../support/otlp-collector';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import { exportAtOnce } from './traced-graph';

const lost = 'the collector accepts no traces';
const found = 'the collector accepts traces again';
const respondWell = (response: ServerResponse): void => void response.writeHead(200).end('{}');
let respond = respondWell;
let flaky: OtlpCollector;
let port: number;
let own: StartedProcess;
let processes: TestProcesses;
const startFlaky = () => startOtlpCollector((response) => respond(response), port);
const countOf = (line: string) => own.output().split(line).length - 1;
const sendRequest = () =>
  send(`${own.origin}/graphql`, {
    headers: graphqlHeaders(processes.token),
    body: JSON.stringify({ query: '{ languages { code } }' }),
  });

beforeAll(async () => {
  processes = await openProcesses();
  port = await freePort();
  flaky = await startFlaky();
  ({ gateway: own } = await processes.startGateway(await processes.serveSubgraphs(['text']), {
    OTEL_EXPORTER_OTLP_ENDPOINT: flaky.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    ...exportAtOnce,
  }));
});
afterAll(async () => {
  await processes.close();
  await flaky.close();
});

const failures: [string, ((response: ServerResponse) => void) | null][] = [
  ['is unreachable', null],
  ['hangs', () => {}],
  ['responds 503', (response) => void response.writeHead(503).end()],
  ['responds 400 with HTML', (response) => void response.writeHead(400, { 'content-type': 'text/html' }).end('<p>')],
];
test.each(failures)(
  'if the OpenTelemetry collector %s, the gateway logs one line, fails no request, and exports again later',
  async (_, failure) => {
    const [lostBefore, foundBefore] = [countOf(lost), countOf(found)];
    if (failure) respond = failure;
    else await flaky.close();
    for (let round = 0; round < 10; round += 1) {
      expect((await sendRequest()).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await waitUntil(() => countOf(lost) > lostBefore);
    respond = respondWell;
    if (!failure) flaky = await startFlaky();
    const { headers } = await sendRequest();
    await waitUntil(() => countOf(found) > foundBefore);
    await waitUntil(() => flaky.written().includes(String(headers['x-request-id'])));
    expect([countOf(lost) - lostBefore, countOf(found) - foundBefore]).toEqual([1, 1]);
  },
);

test('a gateway whose OpenTelemetry collector hangs exits with 0 on SIGTERM', async () => {
  respond = () => {};
  await sendRequest();
  own.child.kill('SIGTERM');
  expect(await own.ended).toBe(0);
});
