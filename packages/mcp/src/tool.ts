import type { LecternClient } from '@lectern/client';
import {
  AuthenticationError,
  DeadlineError,
  InvalidResponseError,
  LecternError,
  NetworkError,
  RateLimitError,
  ResponseError,
} from '@lectern/client';
import type { Metrics } from '@lectern/telemetry';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type AnswerEnd, answerText, endShape, type Links } from './answer';
import { McpTranslationsDocument, type McpTranslationsQuery } from './operations.generated';

export const defaultTranslation = 'eng-web';

export const textArgument = (max: number) => z.string().trim().min(1).max(max);

export const translationIdentifier = textArgument(100);

export const translationArgument = translationIdentifier
  .default(defaultTranslation)
  .describe(
    `Identifier of the translation, such as eng-web (World English Bible), eng-kjv (King James Version) or spa-rv1909 (Reina-Valera 1909, Spanish). list_translations names all.`,
  );

export const referenceArgument = textArgument(200).describe(
  'A Bible reference as people write it, in English or in the language of the translation: "John 3:16", "Ps 23", "Rom 8:1-4; 12:1-2", "Juan 3:16".',
);

export const testamentArgument = z.enum(['OLD', 'NEW']).optional().describe('Only this testament.');

export const afterArgument = z
  .string()
  .max(2_000)
  .optional()
  .describe('`nextPage` of an earlier answer to the same arguments. Leave it out for the first page.');

/** A number of verses, at most 50 by default: a verse takes about 40 tokens of a model's context. */
export const limitArgument = (max = 50) =>
  z.int().min(1).max(max).default(10).describe(`The maximum number of verses, from 1 to ${max}.`);

export const skipArgument = z.int().min(0).max(100_000).default(0);

export const searchArguments = {
  translation: translationArgument,
  books: z
    .union([z.array(textArgument(100)).max(100), z.string().trim().max(200)])
    .transform((books) => (typeof books === 'string' ? books : books.join(',')))
    .optional()
    .describe('Only these books: a list of names or USFM codes, such as ["Psalms", "PRO"], or the same with commas.'),
  testament: testamentArgument,
  limit: limitArgument(),
  after: afterArgument,
};

/** An error that a tool itself reports. Its message says what to do. */
export class ToolError extends Error {
  override name = 'ToolError';
}

const adviceByCode: Readonly<Record<string, string>> = {
  BAD_USER_INPUT: 'Correct the argument and call the tool again.',
  NOT_FOUND:
    'Correct the argument that this message names and call the tool again. list_translations names the translations. References look like "John 3:16", "Psalm 23" or "Rom 8:1-4". A book is a name or a USFM code, such as "Psalms" or "PSA". Strong\'s numbers look like H2617 or G26.',
  SUBGRAPH_UNAVAILABLE:
    'This part of the service is unavailable now. Retry once after a few seconds; other tools may work.',
  REQUEST_TOO_EXPENSIVE: 'Ask for less: a shorter passage, a rarer word or a smaller limit.',
  QUERY_TOO_COMPLEX: 'Ask for less: a shorter passage or a smaller limit.',
  SUPERGRAPH_UNAVAILABLE: 'The service is starting. Retry once after a few seconds.',
  KEYS_UNAVAILABLE: 'The service cannot check API keys now. Retry once after a few seconds.',
  QUERY_NOT_IN_SAFELIST:
    'Do not retry. Tell the user that the API key is restricted to trusted documents, and that the operator of the service must publish packages/mcp/dist/trusted-documents.json.',
  INTERNAL_SERVER_ERROR: 'Retry once. If the error stays, tell the user.',
};

/** Tells a model what went wrong, and whether to try again. Throws errors of neither the client nor a tool. */
export function describeError(error: unknown, links: Links): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof AuthenticationError)
    return `The service rejected the API key: ${error.message}. Do not retry. Tell the user to give the MCP server a valid key (LECTERN_KEY over stdio, the Authorization header over HTTP). Keys are requested at ${links.keyRequest}`;
  if (error instanceof RateLimitError) return describeRateLimit(error);
  if (error instanceof ResponseError) return describeResponseError(error);
  if (error instanceof DeadlineError)
    return 'The service did not respond in time. Retry once, or ask for less: a shorter passage or a smaller limit.';
  if (error instanceof InvalidResponseError)
    return `${error.message} Do not retry. Tell the user to check LECTERN_URL of the MCP server.`;
  if (error instanceof NetworkError)
    return `The service cannot be reached (${causeOf(error)}). Retry once. If the error stays, tell the user to check that the service runs and that LECTERN_URL of the MCP server is right.`;
  throw error;
}

const limitMeanings: Readonly<Record<string, string>> = {
  key: 'This API key has used all its requests of this day (UTC).',
  'key-minute': 'This API key has used all its requests of this minute.',
  address: 'The address of the MCP server has used all its requests of this minute.',
  'key-in-flight': 'Too many requests of this API key are in flight.',
};

function describeRateLimit(error: RateLimitError): string {
  const meaning = limitMeanings[String(error.errors[0]?.extensions?.['limit'])] ?? error.message;
  const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
  const wait =
    seconds < 120
      ? `Wait ${seconds} seconds, then retry.`
      : `Do not retry now: tell the user to try again in ${formatDuration(seconds)}.`;
  return `${meaning} ${wait} Until then every tool of this server fails.`;
}

const formatDuration = (seconds: number): string =>
  seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;

function describeResponseError(error: ResponseError): string {
  const advice = adviceByCode[error.code] ?? 'Retrying does not help.';
  const message = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  const request = error.code === 'INTERNAL_SERVER_ERROR' && error.requestId ? ` Request id: ${error.requestId}.` : '';
  return `${message} ${advice}${request}`;
}

/** Returns the operating system's error code, such as ECONNREFUSED. If there is none, returns a text. */
function causeOf(error: NetworkError): string {
  const { cause } = error as { cause?: { cause?: { code?: string } } };
  return cause?.cause?.code ?? 'the connection failed';
}

export type ServedTranslation = NonNullable<McpTranslationsQuery['translations']>[number];

/** Reads the translations that the client's key may read. They are not cached, because keys have different rights. */
export async function readTranslations(
  client: LecternClient,
  signal?: AbortSignal,
): Promise<readonly ServedTranslation[]> {
  const { translations } = await client.query(McpTranslationsDocument, {}, signal && { signal });
  return translations ?? [];
}

export interface ToolContext {
  readonly client: LecternClient;
  readonly links: Links;
  recordCall?: ReturnType<typeof createCallMetrics>;
}

/** Records a call of a tool. `errorType` is empty, the error code of the service, or the name of the error. */
export function createCallMetrics(metrics: Metrics) {
  // The names follow OpenTelemetry's conventions for MCP, in the form that Prometheus gives them.
  const record = metrics.histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'Duration of calls of MCP tools.',
    labels: ['mcp_method_name', 'gen_ai_tool_name', 'error_type'],
  });
  return (tool: string, errorType: string, seconds: number) =>
    record({ mcp_method_name: 'tools/call', gen_ai_tool_name: tool, error_type: errorType }, seconds);
}

/** The objects that a tool uses in one call. The assistant cancels the call with `signal`. */
export interface ToolCall extends Pick<ToolContext, 'client' | 'links'> {
  readonly signal: AbortSignal;
}

interface ToolDefinition<Input extends z.ZodRawShape, Output extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  /** The description for models: what the tool does, and when to use another tool. */
  readonly description: string;
  readonly input: Input;
  /** The schema of the answer, without the members of `endShape`, which every answer has. */
  readonly output: Output;
  /** Resolves with data and, without their end, lines for a model. Rejects with a `LecternError` or a `ToolError`. */
  run(
    args: z.output<z.ZodObject<Input>>,
    call: ToolCall,
  ): Promise<{ readonly lines: readonly string[]; readonly answer: z.input<z.ZodObject<Output>> & AnswerEnd }>;
}

export interface Tool {
  readonly name: string;
  readonly arguments: readonly string[];
  register(server: McpServer, context: ToolContext): void;
}

/** The tools read one service, not the open web (`openWorldHint`), and repeated calls have no further effect. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const defineTool = <Input extends z.ZodRawShape, Output extends z.ZodRawShape>({
  name,
  title,
  description,
  input,
  output,
  run,
}: ToolDefinition<Input, Output>): Tool => ({
  name,
  arguments: Object.keys(input),
  register(server, { client, links, recordCall }) {
    const inputSchema = z.strictObject(input);
    const outputSchema = z.object({ ...output, ...endShape });
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations: { title, ...annotations } },
      // TypeScript cannot derive the SDK's type of this function from the type parameter `Input`.
      (async (args: z.output<typeof inputSchema>, { mcpReq: { signal } }: { mcpReq: { signal: AbortSignal } }) => {
        const startedAt = performance.now();
        let errorType = '';
        try {
          const { lines, answer } = await run(args as never, { client, links, signal });
          const text = answerText(lines, answer);
          return { content: [{ type: 'text', text }], structuredContent: answer };
        } catch (error) {
          errorType = signal.aborted ? 'cancelled' : error instanceof LecternError ? error.code : (error as Error).name;
          signal.throwIfAborted();
          return { isError: true, content: [{ type: 'text', text: describeError(error, links) }] };
        } finally {
          recordCall?.(name, errorType, (performance.now() - startedAt) / 1_000);
        }
      }) as never,
    );
  },
});

/** Throws a TypeError if the value is missing: the service should have sent an error. */
export function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new TypeError('The service left out a value without an error.');
  return value;
}
