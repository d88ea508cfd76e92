export type { Counts, Entry } from './counter-store';
export { type Line, ownLine } from './ipc-channel';
export { createMemoryCounts, type MemoryCounts } from './memory-counters';
export { runPrimary } from './run-primary';
export { runWorker } from './run-worker';
export { createPrimaryCounts } from './shared-counters';
export { type Address, startWorkers, type Workers } from './start-workers';
export { shareMetrics } from './worker-metrics';
