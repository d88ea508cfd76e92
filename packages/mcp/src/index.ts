export { createLinks } from './answer';
export { settings } from './config';
export { createKeyCheck } from './key-check';
export { createMcpHttpServer, createMcpServer, mcpPath, tools } from './server';
