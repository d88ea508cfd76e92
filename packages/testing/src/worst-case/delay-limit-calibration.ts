import { threadCpuMs } from './thread-cpu-time';

/** How long an operation may block the event loop on the reference machine or a faster one, in milliseconds. */
const referenceDelayMs = 50;

/**
 * The result of `calibrationMs()` on the reference machine, in milliseconds: 7 ms were measured on
 * the machine on which `referenceDelayMs` was chosen, and 3 ms are added for other programs that
 * share the caches of the processor.
 */
const referenceMs = 10;

/** Measures the CPU time of a fixed piece of work in this thread, in milliseconds. */
export function calibrationMs(): number {
  const before = threadCpuMs();
  const counts = new Map<string, number>();
  for (let index = 0; index < 70_000; index += 1) {
    const word = `word${(index * 7_919) % 4_001}`;
    counts.set(word, (counts.get(word) ?? 0) + word.length);
  }
  const sorted = [...counts.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
  JSON.parse(JSON.stringify(sorted));
  return threadCpuMs() - before;
}

/**
 * Returns how long an operation may block the event loop on this machine, in milliseconds. On a
 * machine that is slower than the reference machine, the limit is longer than `referenceDelayMs` in
 * proportion.
 */
export function maxDelayMs(calibrations: readonly number[]): number {
  const median = [...calibrations].sort((one, other) => one - other)[calibrations.length >> 1] ?? referenceMs;
  return referenceDelayMs * Math.max(1, median / referenceMs);
}
