import type { Worker as Forked } from 'node:cluster';
import cluster from 'node:cluster';
import type { Logger } from '@lectern/serving';
import type { IpcChannel } from './ipc-channel';
import { createIpcChannel, workerVariable } from './ipc-channel';

export interface WorkersOptions {
  /** The compiled file that each worker runs. It goes by `runWorker`. */
  file: string;
  count: number;
  /** Told of each worker before it runs, to answer what it asks; what it returns is called when the worker has ended. */
  onConnect: (channel: IpcChannel) => () => void;
  log: Logger;
  /** Told when no worker lives and none can be started any more. */
  onGiveUp: (reason: Error) => void;
}

export interface Workers {
  /** Resolves when all serve, or those that could not be started have been tried once more. */
  readonly complete: Promise<void>;
  /** Where they listen, all at one address. */
  readonly address: Address;
  /** How many take requests. */
  ready(): number;
  /** A new one in the place of each, one after the other: the old one goes when the new one takes requests. */
  restart(): Promise<void>;
  /** Lets them finish what is under way, and resolves when all have ended. */
  close(): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a worker is told when it is to end. */
export interface Stop {
  /** Another has taken its place. */
  readonly isReplaced: boolean;
}

interface Member {
  readonly process: Forked['process'];
  readonly channel: IpcChannel;
  readonly ended: Promise<void>;
  isReady: boolean;
  /** Its end is nothing to mend: another comes in its place, or none is to. */
  isLeaving: boolean;
}

const startWithinMs = 60_000;
/** Longer than a worker gives to the requests under way, and to what it closes after them. */
const stopWithinMs = 20_000;
const deathsCountForMs = 60_000;
const firstPauseMs = 100;
const longestPauseMs = 10_000;
const mostFailedStarts = 5;

/**
 * Processes that serve one address together; connections are handed to them in turn. The first starts alone, so that what is wrong with the
 * settings or the data is said once: it rejects when that one ends. From then on one that dies has another in its place, at once the first time and
 * after ever longer pauses when they go on dying.
 */
export async function startWorkers({ file, count, onConnect, log, onGiveUp }: WorkersOptions): Promise<Workers> {
  const members = new Set<Member>();
  let deaths: number[] = [];
  let failedStarts = 0;
  let stopping = false;
  let restarting: Promise<void> | null = null;
  let restartAgain = false;

  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: file, args: [] });

  const ready = () => [...members].filter(({ isReady }) => isReady);

  /** Starts one, and resolves when it takes requests. */
  const begin = (): Promise<Address> =>
    new Promise((resolve, reject) => {
      const forked = cluster.fork({ [workerVariable]: '1' });
      const { process: child } = forked;
      const channel = createIpcChannel(child);
      const farewell = onConnect(channel);
      const late = setTimeout(() => child.kill('SIGKILL'), startWithinMs);
      let end: () => void = () => {};
      const ended = new Promise<void>((resolveEnded) => {
        end = resolveEnded;
      });
      const member: Member = { process: child, channel, ended, isReady: false, isLeaving: false };
      members.add(member);
      const leave = () => {
        clearTimeout(late);
        members.delete(member);
        farewell();
        end();
      };
      channel.on('ready', (address) => {
        clearTimeout(late);
        member.isReady = true;
        failedStarts = 0;
        resolve(address as Address);
      });
      forked.on('error', (error: Error) => {
        // What is said to one that is just ending may fail, and its end is told below. One that could not even be forked never ends.
        if (child.pid !== undefined) return;
        leave();
        deaths.push(Date.now());
        reject(error);
      });
      child.once('exit', (code, signal) => {
        leave();
        if (stopping || member.isLeaving) return reject(new Error('it was stopped'));
        deaths.push(Date.now());
        if (!member.isReady)
          return reject(new Error(`a worker ended before it was ready (${signal ?? `exit code ${code}`})`));
        log.error({ pid: child.pid, code, signal }, 'a worker ended: another takes its place');
        return void mend();
      });
    });

  const pauseMs = (): number => {
    deaths = deaths.filter((at) => Date.now() - at < deathsCountForMs);
    return deaths.length <= 1 ? 0 : Math.min(firstPauseMs * 2 ** (deaths.length - 2), longestPauseMs);
  };

  const mend = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, pauseMs()));
    if (stopping) return;
    try {
      await begin();
    } catch (error) {
      if (stopping) return;
      failedStarts += 1;
      log.error({ fault: messageOf(error), serving: ready().length }, 'a worker could not be started');
      if (failedStarts >= mostFailedStarts && ready().length === 0)
        onGiveUp(
          new Error(
            `No worker is left, and ${failedStarts} in a row could not be started. What they wrote before says why.`,
          ),
        );
      else void mend();
    }
  };

  const dismiss = async (member: Member, stop: Stop): Promise<void> => {
    member.isLeaving = true;
    const late = setTimeout(() => member.process.kill('SIGKILL'), stopWithinMs);
    // One that is not ready does not listen to us yet, and has nothing under way.
    if (member.isReady) void member.channel.send('stop', stop);
    else member.process.kill('SIGTERM');
    await member.ended;
    clearTimeout(late);
  };

  const replaceAll = async (): Promise<void> => {
    for (const old of ready()) {
      if (stopping || !members.has(old)) continue;
      old.isLeaving = true;
      try {
        await begin();
      } catch (error) {
        if (stopping) return;
        old.isLeaving = false;
        log.error({ fault: messageOf(error) }, 'the restart is given up: the workers that were there go on');
        if (!members.has(old)) void mend();
        return;
      }
      if (members.has(old)) await dismiss(old, { isReplaced: true });
    }
    if (!stopping) log.info({ workers: ready().length }, 'every worker was replaced');
  };

  const restart = async (): Promise<void> => {
    // Whoever asks while it goes on may have changed something since: once more, then.
    if (restarting) restartAgain = true;
    restarting ??= replaceAll().finally(() => (restarting = null));
    await restarting;
    if (!restartAgain || stopping) return;
    restartAgain = false;
    await restart();
  };

  const address = await begin().catch((error: unknown) => {
    throw new Error(`Lectern does not start: ${messageOf(error)}. What it wrote before says why.`);
  });
  // Those that fail from here on are mended, while the first one serves.
  const others = Array.from({ length: count - 1 }, async () => {
    try {
      await begin();
    } catch (error) {
      if (stopping) return;
      log.error({ fault: messageOf(error) }, 'a worker could not be started');
      await mend();
    }
  });

  return {
    address,
    complete: Promise.all(others).then(() => {}),
    ready: () => ready().length,
    restart,
    async close() {
      stopping = true;
      await Promise.all([...members].map((member) => dismiss(member, { isReplaced: false })));
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
