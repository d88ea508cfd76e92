import { openSync, readSync } from 'node:fs';

/** On Linux this file holds the CPU time of the main thread, whose id is the process id. */
const file = `/proc/self/task/${process.pid}/schedstat`;
const buffer = Buffer.alloc(64);
let descriptor: number | null | undefined;

function open(): number | null {
  try {
    return openSync(file, 'r');
  } catch {
    return null;
  }
}

/**
 * Returns the CPU time of the main thread in milliseconds. Worker threads do not count, except on
 * systems without /proc, where only the CPU time of the whole process is known.
 */
export function threadCpuMs(): number {
  if (descriptor === undefined) descriptor = open();
  if (descriptor === null) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const length = readSync(descriptor, buffer, 0, buffer.length, 0);
  return Number(buffer.toString('latin1', 0, length).split(' ', 1)[0]) / 1_000_000;
}
