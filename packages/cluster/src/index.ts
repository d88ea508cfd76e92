export { createConnectionDistributor, receiveConnections } from './connections';
export type { CounterIncrement, CounterStore, MemoryCounterStore } from './counters';
export { createMemoryCounterStore, createPrimaryCounterStore } from './counters';
export { channelToPrimary, type IpcChannel } from './ipc';
export { shareMetrics } from './metrics';
export { runPrimary } from './primary';
export { runWorker } from './worker';
export { startWorkers } from './workers';
