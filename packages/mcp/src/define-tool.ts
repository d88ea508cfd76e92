import type { LecternClient } from '@lectern/client';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Links } from './answer-links';
import { describeError } from './tool-errors';
import type { ServedTranslation } from './translation-list-cache';

/** The objects that a tool uses in one call. */
export interface ToolCall {
  readonly client: LecternClient;
  /**
   * Aborts when the assistant cancels the call. Each request to the service receives this signal.
   */
  readonly signal: AbortSignal;
  readonly links: Links;
  translations(): Promise<readonly ServedTranslation[]>;
}

export interface Answer<Structured> {
  /** The answer for a model: short lines of plain text. */
  readonly text: string;
  /** The same answer for programs. */
  readonly structured: Structured;
}

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  /** The title that assistants show to people. */
  readonly title: string;
  /** The description for models: what the tool does, and when to use another tool. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Throws a `LecternError` or a `ToolError`. */
  run(args: z.output<Input>, call: ToolCall): Promise<Answer<z.input<Output>>>;
}

/** The objects that all tools of one server share. */
export interface ToolContext extends Omit<ToolCall, 'signal' | 'translations'> {
  translations(client: LecternClient, signal: AbortSignal): Promise<readonly ServedTranslation[]>;
}

export interface Tool {
  readonly name: string;
  /** The names of the tool's arguments. */
  readonly arguments: readonly string[];
  register(server: McpServer, context: ToolContext): void;
}

/**
 * All tools only read, a repeated call has no further effect, and the tools read one service, not
 * the open web (`openWorldHint`).
 */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool => ({
  name: definition.name,
  arguments: Object.keys(definition.input.shape),
  register(server, { client, links, translations }) {
    const { name, title, description, input, output } = definition;
    server.registerTool(
      name,
      { title, description, inputSchema: input, outputSchema: output, annotations: { title, ...annotations } },
      // TypeScript cannot derive the SDK's type of this function from the type parameter `Input`.
      (async (args: z.output<Input>, { mcpReq: { signal } }: { mcpReq: { signal: AbortSignal } }) => {
        const call = { client, links, signal, translations: () => translations(client, signal) };
        try {
          return toResult(await definition.run(args, call));
        } catch (error) {
          signal.throwIfAborted();
          return { isError: true, content: [{ type: 'text', text: describeError(error, links) }] };
        }
      }) as never,
    );
  },
});

const toResult = ({ text, structured }: Answer<object>): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: { ...structured },
});

/** Returns the value. Throws a TypeError if the service sent neither the value nor an error. */
export function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new TypeError('The service left out a value without an error.');
  return value;
}
