export { settings } from './config';
export { type StandaloneOptions, startStandalone } from './standalone';
