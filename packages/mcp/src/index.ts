export { createLinks } from './answer-links';
export { settings } from './config';
export { createMcpHttpServer, mcpPath } from './http-server';
export { createMcpServer } from './mcp-server';
export { tools } from './tools';
export { createTranslationList } from './translation-list-cache';
