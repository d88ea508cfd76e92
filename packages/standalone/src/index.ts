export { buildData } from './build-data';
export { settings } from './config';
export type { StandaloneOptions } from './start-standalone';
export { startStandalone } from './start-standalone';
