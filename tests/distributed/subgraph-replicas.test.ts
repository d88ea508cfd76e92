import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { listen } from '@lectern/serving';
import type { GraphqlClient, GraphqlResponse, StartedProcess } from '@lectern/testing';
import { dataDir } from '@lectern/testing';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';

const hedgeMs = 300;
let rooms: TestProcesses;

beforeAll(async () => {
  rooms = await openProcesses();
});
afterAll(() => rooms.close());

const startText = (env: Record<string, string> = {}) =>
  rooms.start('services/text/dist/main.js', { LECTERN_DATA: dataDir, LOG_LEVEL: 'warn', ...env });
const startGateway = (text: readonly string[]) => rooms.startGateway({ text }, { SUBGRAPH_HEDGE_MS: String(hedgeMs) });

const query = '{ languages { code } }';
const languages = [{ code: 'eng' }, { code: 'spa' }];
const whole = { data: { languages } };
const unavailable = {
  message: 'This part of the graph is temporarily unavailable. Please try again later.',
  path: ['languages'],
  extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
};
const partial = { data: { languages: null }, errors: [unavailable] };

type Fault = (response: ServerResponse, request: IncomingMessage) => void;

const json = { 'content-type': 'application/json' };
const respond =
  (status: number, body: string): Fault =>
  (response) =>
    void response.writeHead(status, json).end(body);
const good = '{"data":{"languages":[{"code":"eng"},{"code":"spa"}]}}';

describe('of two replicas', () => {
  const text: StartedProcess[] = [];
  let gateway: StartedProcess;
  let client: GraphqlClient;

  beforeAll(async () => {
    text.push(await startText(), await startText());
    ({ gateway, client } = await startGateway(text.map(({ origin }) => origin)));
  });
  afterAll(async () => {
    for (const room of [gateway, ...text]) await rooms.stop(room);
  });

  const replica = (index: number): StartedProcess => {
    const room = text[index];
    if (!room) throw new Error(`there is no replica ${index}`);
    return room;
  };
  const restart = async (index: number) => {
    text[index] = await startText({ PORT: String(replica(index).port) });
  };

  /** Clients that ask without a pause while something happens; gives back what they were not answered well. */
  const underLoad = async (happens: () => Promise<void>): Promise<{ answered: number; failed: GraphqlResponse[] }> => {
    const failed: GraphqlResponse[] = [];
    let answered = 0;
    const load = { isOver: false };
    const sendUntilOver = async () => {
      while (!load.isOver) {
        const answer = await client(query);
        if (answer.errors) failed.push(answer);
        else answered += 1;
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    };
    const clients = Array.from({ length: 12 }, sendUntilOver);
    await happens();
    load.isOver = true;
    await Promise.all(clients);
    return { answered, failed };
  };
  const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

  test('one that hangs is made up for by the other, and after a few requests is not waited for any more', async () => {
    replica(0).child.kill('SIGSTOP');
    const { answered, failed } = await underLoad(() => pause(2_500));
    const began = Date.now();
    for (let times = 0; times < 20; times += 1) expect(await client(query)).toEqual(whole);
    const tookMs = Date.now() - began;
    replica(0).child.kill('SIGCONT');
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(100);
    expect(tookMs).toBeLessThan(20 * hedgeMs);
    expect(gateway.output()).toContain('circuit open');
    await waitUntil(() => gateway.output().includes('circuit closed'));
  });

  test('one that is killed under load costs no answer', async () => {
    const { answered, failed } = await underLoad(async () => {
      await pause(500);
      await rooms.stop(replica(0));
      await pause(1_000);
      await restart(0);
      await pause(500);
    });
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });

  test('each can be restarted in turn under load, without one answer lost', async () => {
    const { answered, failed } = await underLoad(async () => {
      for (const index of [0, 1, 0]) {
        await pause(500);
        await rooms.stop(replica(index), 'SIGTERM');
        await restart(index);
      }
      await pause(500);
    });
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });

  test('when both are gone the fields are null, and back as soon as one is', async () => {
    await Promise.all([rooms.stop(replica(0)), rooms.stop(replica(1))]);
    for (let times = 0; times < 10; times += 1) expect(await client(query)).toEqual(partial);
    await restart(1);
    expect(await client(query)).toEqual(whole);
    await restart(0);
  });
});

describe('the gateway asks', () => {
  const answers = (fault: Fault) => async () => {
    const peer = { asked: 0, url: '', fault, close: async () => {} };
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        if (body.includes('__typename')) return respond(200, '{"data":{"__typename":"Query"}}')(response, request);
        peer.asked += 1;
        peer.fault(response, request);
      });
    });
    const listening = await listen(server, { host: '127.0.0.1', port: 0 });
    return Object.assign(peer, { url: `http://127.0.0.1:${listening.port}`, close: () => listening.close(0) });
  };
  const answersWell = answers(respond(200, good));
  const answersLate = answers((response) => void setTimeout(() => response.writeHead(200, json).end(good), 60));
  const hangsUp = answers((_, { socket }) => void socket.destroy());
  const fails = answers(respond(500, '{}'));

  const over = async (
    makers: readonly ReturnType<typeof answers>[],
    use: (client: GraphqlClient, peers: readonly { asked: number }[]) => Promise<void>,
  ) => {
    const peers = await Promise.all(makers.map((make) => make()));
    const { gateway, client } = await startGateway(peers.map(({ url }) => url));
    await use(client, peers);
    await rooms.stop(gateway);
    for (const peer of peers) await peer.close();
  };

  test('replicas in turn, and a slow one less', async () => {
    await over([answersWell, answersWell, answersLate], async (client, [one, other, late]) => {
      for (let times = 0; times < 30; times += 1) expect((await client(query)).data).toEqual({ languages });
      expect([one?.asked, other?.asked, late?.asked]).toEqual([10, 10, 10]);
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let times = 0; times < 20; times += 1) await client(query);
        }),
      );
      expect(late?.asked).toBeLessThan(50);
      expect(one?.asked).toBeGreaterThan(50);
      expect(other?.asked).toBeGreaterThan(50);
    });
  });

  test('once more after no answer, and never a third time; a mutation is asked once', async () => {
    await over([hangsUp], async (client, [peer]) => {
      await client(query);
      expect(peer?.asked).toBe(2);
      await client('mutation { testField }');
      expect(peer?.asked).toBe(3);
    });
  });

  test('another replica after a bad answer, and no third', async () => {
    await over([fails, hangsUp, fails], async (client, peers) => {
      expect((await client(query)).errors).toEqual([unavailable]);
      expect(peers.reduce((sum, { asked }) => sum + asked, 0)).toBe(2);
    });
    await over([fails, answersWell], async (client, [bad, well]) => {
      for (let times = 0; times < 30; times += 1) expect((await client(query)).data).toEqual({ languages });
      // Left out after five in a row, and the probe that it answers brings it back for five more.
      expect(bad?.asked).toBeGreaterThanOrEqual(5);
      expect(well?.asked).toBe(30);
    });
  });
});
