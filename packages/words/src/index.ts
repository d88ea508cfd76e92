export * from './stems';
export * from './tokens';
