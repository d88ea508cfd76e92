import { join } from 'node:path';
import { createLecternClient } from '@lectern/client';
import {
  createKeyCheck,
  createLinks,
  createMcpHttpServer,
  createMcpServer,
  createTranslationList,
  mcpPath,
} from '@lectern/mcp';
import { createHealth, listen, silentLogger } from '@lectern/serving';
import { silentMetrics } from '@lectern/telemetry';
import { repositoryRoot, send } from '@lectern/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const mcpMain = join(repositoryRoot, 'packages/mcp/dist/main.js');

export interface StartedMcpServer {
  /** The URL of the MCP endpoint. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the MCP server over HTTP in this process. Its tools send requests to the GraphQL endpoint
 * `lecternUrl`.
 */
export async function startMcpHttpServer(lecternUrl: string): Promise<StartedMcpServer> {
  const context = {
    links: createLinks({ pagesUrl: new URL(lecternUrl).origin, readerUrl: '' }),
    translations: createTranslationList(Date.now),
  };
  const options = { url: lecternUrl, deadlineMs: 60_000, maxRetries: 0, persistedQueries: false };
  const server = createMcpHttpServer({
    createMcpServer: (key) => createMcpServer({ ...context, client: createLecternClient({ ...options, key }) }),
    checkKey: createKeyCheck(lecternUrl),
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: ['127.0.0.1'],
    health: createHealth(),
    metrics: silentMetrics,
    log: silentLogger,
  });
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${listening.port}${mcpPath}`,
    close: () => listening.close({ graceMs: 0 }),
  };
}

const createClient = (mode: 'auto' | 'legacy') =>
  new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } });

/** Connects an MCP client over HTTP. The client negotiates the newest version of the protocol. */
export async function connectOverHttp(url: string, key: string): Promise<Client> {
  const client = createClient('auto');
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** Calls the tool look_up_passage with John 11:35, without a client. */
export const lookUpOverHttp = (url: string, key: string) =>
  send(url, {
    headers: ['Authorization', `Bearer ${key}`, 'Content-Type', 'application/json', 'Accept', acceptedTypes],
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look_up_passage","arguments":{"reference":"John 11:35"}}}',
  });

const acceptedTypes = 'application/json, text/event-stream';

/**
 * Starts the compiled MCP server as a process and connects an MCP client over stdio. The client
 * sends `initialize` first, as older assistants do.
 */
export async function connectOverStdio(lecternUrl: string, key: string): Promise<Client> {
  const client = createClient('legacy');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mcpMain],
    env: { LECTERN_URL: lecternUrl, LECTERN_KEY: key },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

/**
 * The members of a tool's structured content that the tests read. Each tool returns only some of
 * them.
 */
interface Structured {
  readonly verses: readonly { readonly reference: string }[];
  readonly entries: readonly { readonly references: readonly string[] }[];
  readonly note: string | null;
  readonly nextPage: string | null;
  readonly link: string;
}

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Structured;
}

export async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Called> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args });
  const [block] = content;
  return {
    isError,
    text: block?.type === 'text' ? block.text : '',
    structured: structuredContent as unknown as Structured,
  };
}

export const referencesOf = (...pages: readonly Called[]): string[] =>
  pages.flatMap(({ structured }) => structured.verses.map(({ reference }) => reference));
