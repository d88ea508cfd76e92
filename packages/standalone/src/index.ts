export { buildData, dataFiles } from './build-data';
export { settings } from './config';
export { startStandalone } from './standalone';
export type { StandaloneOptions } from './standalone';
