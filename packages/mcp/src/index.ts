export { createLinks } from './answer';
export { settings } from './config';
export { createMcpHttpServer, createMcpServer, mcpPath } from './server';
export { createTranslationList } from './tool';
export { tools } from './tools';
