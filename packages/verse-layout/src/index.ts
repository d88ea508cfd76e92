export * from './build';
export * from './render';
