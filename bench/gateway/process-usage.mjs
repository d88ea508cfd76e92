import { readFileSync } from 'node:fs';

/** Linux counts CPU time in /proc/PID/stat in ticks: this many for each second. */
const ticksPerSecond = 100;

/**
 * Returns the CPU seconds of these processes since their start, over all threads. Returns null without /proc.
 *
 * @param {number[]} pids
 */
export const cpuSeconds = (pids) => {
  if (process.platform !== 'linux') return null;
  return pids.reduce((sum, pid) => {
    // The fields follow the program's name, which is in parentheses and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }, 0);
};

/** Returns the current and the peak resident memory of a process in megabytes, or null without /proc. */
export const memoryOf = (pid) => {
  if (process.platform !== 'linux') return null;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_000;
  return { now: megabytes('VmRSS'), max: megabytes('VmHWM') };
};
