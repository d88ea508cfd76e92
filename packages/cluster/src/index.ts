export type { CounterEntry, CounterStore } from './counter-store';
export { channelToPrimary, type IpcChannel } from './ipc-channel';
export { createMemoryCounterStore, type MemoryCounterStore } from './memory-counter-store';
export { createPrimaryCounterStore } from './primary-counter-store';
export { runPrimary } from './run-primary';
export { runWorker } from './run-worker';
export { type Address, startWorkers, type Workers } from './start-workers';
export { shareMetrics } from './worker-metrics';
