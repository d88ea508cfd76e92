export { buildData, dataFiles } from './build-data';
export { settings } from './config';
export type { StandaloneOptions } from './standalone';
export { startStandalone } from './standalone';
