export { settings } from './config';
export { buildData } from './data';
export { type StandaloneOptions, startStandalone } from './standalone';
