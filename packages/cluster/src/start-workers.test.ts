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
runWorker({ channel, close: () => listening.close(), log: createLogger({ service: 'worker', level: 'fatal' }) });
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

test('startWorkers keeps the other workers running while forking fails, and respawns the missing worker later', () =>
  withFolder(async (folder) => {
    const [primaryFile, workerFile] = [join(folder, 'primary.js'), join(folder, 'worker.js')];
    writeFileSync(primaryFile, primary);
    writeFileSync(workerFile, worker);
    const child = spawn(process.execPath, [primaryFile, workerFile], {
      env: { TEST_PORT: String(await freePort()) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => void child.once('close', resolve));
    expect({ code, output }).toEqual({ code: 0, output: 'meanwhile 1\nafterwards 2\n' });
  }));
