import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the busy time of all processors in /proc/stat in ticks: this many for each second. */
const ticksPerSecond = 100;

/**
 * Returns the CPU seconds of these processes since their start, over all threads. Returns null without /proc.
 *
 * @param {number[]} pids
 */
export const cpuSeconds = (pids) => {
  if (process.platform !== 'linux') return null;
  return pids.reduce((sum, pid) => sum + threadsOf(pid).reduce((sum, thread) => sum + nanoseconds(thread), 0) / 1e9, 0);
};

const threadsOf = (pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);

/** The first number of `schedstat` is exact. The times in `stat` are counted in ticks of 10 ms. */
const nanoseconds = (folder) => Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);

/**
 * Returns the seconds that all processors together have worked since the start of the machine, for this machine or
 * ("steal") for other virtual machines. Returns null without /proc.
 */
export const busySeconds = () => {
  if (process.platform !== 'linux') return null;
  const [total] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user, nice, system, , , interrupts, softInterrupts, steal] = total.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + interrupts + softInterrupts + steal) / ticksPerSecond;
};

/** Returns the current and the peak resident memory of a process in megabytes, or null without /proc. */
export const memoryOf = (pid) => {
  if (process.platform !== 'linux') return null;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_000;
  return { now: megabytes('VmRSS'), max: megabytes('VmHWM') };
};
