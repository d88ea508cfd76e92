import { readFileSync } from 'node:fs';

/**
 * Returns the CPU time of the calling thread in milliseconds, which, unlike the elapsed time, does
 * not grow while other processes use the cores. Node 20 has no function for it. Where the system has
 * no such file (other than Linux), returns the elapsed time.
 */
export function threadCpuMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
