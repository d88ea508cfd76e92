import { readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat on every Linux. */
const ticksASecond = 100;

/** Seconds of CPU that these processes have used since they began, all threads together; null where there is no /proc. */
export const cpuSeconds = (pids) => {
  if (process.platform !== 'linux') return null;
  return pids.reduce((sum, pid) => {
    // The name of the program stands in brackets and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / ticksASecond;
  }, 0);
};

/** Resident megabytes now and at most so far; null where there is no /proc. */
export const memoryOf = (pid) => {
  if (process.platform !== 'linux') return null;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_000;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
};
