import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, withFolder } from '@lectern/testing';

const cluster = JSON.stringify(join(__dirname, '..', 'dist', 'index.js'));
const serving = JSON.stringify(join(__dirname, '..', '..', 'serving', 'dist', 'index.js'));

const worker = `
const { createLogger } = require(${serving});
const { channelToPrimary, receiveConnections, runWorker } = require(${cluster});
const port = Number(process.env.TEST_PORT);
const server = require('node:http').createServer((_, response) => response.end('here'));
const channel = channelToPrimary();
const listening = receiveConnections(server, channel, { host: '127.0.0.1', port });
const problem = () => (require('node:fs').existsSync(process.env.TEST_OUTAGE) ? 'there is no supergraph' : null);
runWorker({ channel, close: () => listening.close(), problem, log: createLogger({ service: 'worker', level: 'fatal' }) });
`;

/** A primary that kills one of two workers while forking fails, then lets forking succeed. */
const primary = `
const cluster = require('node:cluster');
const { createLogger, runUntilStopped } = require(${serving});
const { createConnectionDistributor, startWorkers } = require(${cluster});
const log = createLogger({ service: 'primary', level: 'fatal' });
const until = async (met) => { while (!met()) await new Promise((resolve) => setTimeout(resolve, 20)); };
(async () => {
  const workers = await startWorkers({ file: process.argv[2], count: 2, connections: createConnectionDistributor(), onConnect: () => () => {}, onGiveUp: () => process.exit(3), log });
  await workers.complete;
  runUntilStopped(async () => { workers.drain(); await workers.close(); }, log);
  cluster.setupPrimary({ cwd: '/nowhere' });
  Object.values(cluster.workers)[0].process.kill('SIGKILL');
  await until(() => workers.ready() === 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  console.log('meanwhile', workers.ready());
  cluster.setupPrimary({ cwd: '/' });
  await until(() => workers.ready() === 2);
  console.log('afterwards', workers.ready());
  workers.drain();
  await workers.close();
  process.exit(0);
})();
`;

/**
 * A primary that restarts its two workers and kills one of them, while new workers cannot serve
 * requests.
 */
const restartingPrimary = `
const cluster = require('node:cluster');
const fs = require('node:fs');
const { createLogger, runUntilStopped } = require(${serving});
const { createConnectionDistributor, startWorkers } = require(${cluster});
const write = (line) => { const { msg, reason, serving } = JSON.parse(line); console.log(msg, '|', reason, '|', serving); };
const log = createLogger({ service: 'primary', level: 'error', destination: { write } });
const until = async (met) => { while (!met()) await new Promise((resolve) => setTimeout(resolve, 20)); };
const ids = () => Object.keys(cluster.workers).join(' ');
(async () => {
  const workers = await startWorkers({ file: process.argv[2], count: 2, connections: createConnectionDistributor(), onConnect: () => () => {}, onGiveUp: () => process.exit(3), log });
  await workers.complete;
  fs.writeFileSync(process.env.TEST_OUTAGE, '');
  await workers.restart();
  await until(() => ids() === '1 2');
  console.log('during the outage', ids(), workers.ready());
  cluster.workers[2].process.kill('SIGKILL');
  let ended = 0;
  cluster.on('exit', () => (ended += 1));
  await until(() => ended === 2);
  console.log('one was killed', workers.ready());
  fs.rmSync(process.env.TEST_OUTAGE);
  await until(() => workers.ready() === 2);
  await workers.restart();
  console.log('afterwards', workers.ready(), cluster.workers[1] === undefined);
  workers.drain();
  await workers.close();
  process.exit(0);
})();
`;

/**
 * A primary that kills both of its workers while new workers cannot serve requests: the second
 * worker at once, and the first worker when four new workers have failed and a fifth one starts.
 */
const primaryWithoutOldWorkers = `
const cluster = require('node:cluster');
const fs = require('node:fs');
const { createLogger } = require(${serving});
const { createConnectionDistributor, startWorkers } = require(${cluster});
let failures = 0;
const write = (line) => (failures += line.includes('could not be started') ? 1 : 0);
const log = createLogger({ service: 'primary', level: 'error', destination: { write } });
(async () => {
  const workers = await startWorkers({ file: process.argv[2], count: 2, connections: createConnectionDistributor(), onConnect: () => () => {}, onGiveUp: () => process.exit(3), log });
  await workers.complete;
  fs.writeFileSync(process.env.TEST_OUTAGE, '');
  cluster.on('fork', () => { if (failures === 4) cluster.workers[1]?.process.kill('SIGKILL'); });
  cluster.workers[2].process.kill('SIGKILL');
  while (!(cluster.workers[1] === undefined && workers.ready() === 1)) await new Promise((resolve) => setTimeout(resolve, 20));
  console.log('ready', workers.ready());
  workers.drain();
  await workers.close();
  process.exit(0);
})();
`;

/**
 * Runs a primary, with `worker` as its worker. Resolves with the primary's exit code and output.
 */
const runPrimaryScript = (script: string): Promise<{ code: unknown; output: string }> =>
  withFolder(async (folder) => {
    const [primaryFile, workerFile] = [join(folder, 'primary.js'), join(folder, 'worker.js')];
    writeFileSync(primaryFile, script);
    writeFileSync(workerFile, worker);
    const child = spawn(process.execPath, [primaryFile, workerFile], {
      env: { TEST_PORT: String(await freePort()), TEST_OUTAGE: join(folder, 'outage') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => void child.once('close', resolve));
    return { code, output };
  });

test('if a worker dies while no new worker can be forked, startWorkers keeps the other workers running and later respawns the dead worker', async () => {
  expect(await runPrimaryScript(primary)).toEqual({ code: 0, output: 'meanwhile 1\nafterwards 2\n' });
});

test('a restart of the workers keeps the old workers until the new workers can serve requests', async () => {
  const { code, output } = await runPrimaryScript(restartingPrimary);
  // How often a start fails varies, so repeated lines of the output are dropped.
  expect([...new Set(output.split('\n'))]).toEqual([
    'the restart failed: the old workers continue | there is no supergraph | undefined',
    'during the outage 1 2 2',
    'a worker ended and is respawned | undefined | undefined',
    'a worker could not be started | there is no supergraph | 1',
    'one was killed 1',
    'afterwards 2 true',
    '',
  ]);
  expect(code).toBe(0);
});

test('startWorkers keeps a new worker that cannot serve requests yet if no other worker is left', async () => {
  expect(await runPrimaryScript(primaryWithoutOldWorkers)).toEqual({ code: 0, output: 'ready 1\n' });
});
