export { settings } from './config';
export { buildData } from './data';
export type { StandaloneOptions } from './standalone';
export { startStandalone } from './standalone';
