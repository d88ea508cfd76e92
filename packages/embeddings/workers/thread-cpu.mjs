import { readFileSync } from 'node:fs';

/**
 * Returns the CPU time of the calling thread in milliseconds, which, unlike the elapsed time, does not grow while other
 * processes use the cores. Reads a file of Linux, because Node.js 20 has no function for this time. On other systems,
 * returns the elapsed time.
 */
export function threadCpuMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
