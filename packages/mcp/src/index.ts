export { createLinks } from './answer-links';
export { settings } from './config';
export { createMcpServer } from './mcp-server';
export { createMcpHttpServer, mcpPath } from './sessionless-mcp-http-server';
export { tools } from './tools';
export { createTranslationList } from './translation-list-cache';
