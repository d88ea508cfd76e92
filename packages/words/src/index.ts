export * from './differences';
export * from './stems';
export * from './tokens';
