import { errorMessage, silentLogger } from '@lectern/serving';
import { silentMetrics } from '@lectern/telemetry';
import { Command, CommanderError } from 'commander';
import { readConfig } from '../config';
import type { InvalidDocument } from '../documents/manifest';
import { checkDocuments, parseManifest, quote } from '../documents/manifest';
import { createGatewayMetrics } from '../metrics';
import { openManifestSource, openSupergraphSource } from '../shared/sources';
import { gatewayOptions, readSupergraphHeaders } from '../start';
import { transportWithoutReplicas } from '../transport/stubs';

interface CommandContext {
  env: NodeJS.ProcessEnv;
  /** Writes to standard output. Each text ends with a line feed. */
  stdout: (text: string) => void;
  stderr: (text: string) => void;
}

interface CheckOptions {
  readonly manifest: string;
  /** The supergraph that the command line names. The setting SUPERGRAPH if absent. */
  readonly supergraph?: string;
}

const help = `
Exit status: 0 the gateway would use the manifest, 1 it would not, 2 invalid command line.
The limits are MAX_TOKENS, MAX_DEPTH and MAX_COMPLEXITY, as the gateway reads them. Variables cost as their defaults do.`;

/**
 * Runs the `documents` command with these arguments. Resolves to the exit status: 0 the manifest is
 * valid, 1 it is not or cannot be checked, 2 invalid command line.
 */
export async function runDocumentsCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseArguments(args, context);
  if (typeof parsed === 'number') return parsed;
  try {
    const { documents, invalid } = await checkManifest(parsed, readConfig(context.env));
    for (const { name, reason } of invalid) context.stderr(`${quote(name)}: ${reason}\n`);
    if (invalid.length === 0) context.stdout(`${parsed.manifest}: ${count(documents)} valid.\n`);
    else context.stderr(`${parsed.manifest}: ${invalid.length} of ${count(documents)} invalid.\n`);
    return invalid.length === 0 ? 0 : 1;
  } catch (error) {
    context.stderr(`${errorMessage(error)}\n`);
    return 1;
  }
}

const count = (documents: number): string => (documents === 1 ? '1 operation is' : `${documents} operations are`);

/** Returns the options of `documents check`, or the exit status of any other command line. */
function parseArguments(args: readonly string[], { stdout, stderr }: CommandContext): CheckOptions | number {
  let parsed: CheckOptions | null = null;
  const program: Command = new Command('npm run documents --')
    .usage('COMMAND [options]')
    .argument('[command]')
    .allowExcessArguments()
    .configureOutput({ writeOut: stdout, writeErr: stderr })
    .showHelpAfterError()
    .exitOverride()
    .addHelpText('after', help)
    .action((word: string | undefined) =>
      program.error(word === undefined ? 'error: a command is missing' : `error: unknown command '${word}'`),
    );
  program
    .command('check')
    .description('Check a manifest of trusted documents as the gateway does when it loads TRUSTED_DOCUMENTS.')
    .argument('<FILE>', 'the manifest of Apollo or Relay: a file, or a URL that begins with http')
    .option('--supergraph <FILE>', 'the supergraph with the schema: a file or a URL (default: SUPERGRAPH)')
    .allowExcessArguments(false)
    .addHelpText('after', help)
    .action((manifest: string, options: { supergraph?: string }) => {
      parsed = { manifest, ...options };
    });
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return parsed ?? 2;
}

/**
 * Checks the documents of a manifest. Rejects with the reason if the file is not a manifest, or if
 * the supergraph cannot be used.
 */
async function checkManifest(
  { manifest, supergraph }: CheckOptions,
  config: ReturnType<typeof readConfig>,
): Promise<{ readonly documents: number; readonly invalid: readonly InvalidDocument[] }> {
  const found = await openManifestSource(manifest).read(null);
  const documents = parseManifest(found?.text ?? '');
  const sdl = await openSupergraphSource(
    supergraph ?? config.SUPERGRAPH,
    supergraph === undefined ? readSupergraphHeaders(config) : {},
  ).read(null);
  const { limits, operationCacheBytes } = gatewayOptions(config);
  const { createGraph } = await import('../graph.js');
  const graph = await createGraph({
    supergraphSdl: sdl?.text ?? '',
    subgraphs: {
      ...transportWithoutReplicas,
      subgraph: () => () => Promise.reject(new Error('the command sends no requests')),
    },
    limits,
    executionStrategy: 'auto',
    operationCacheBytes,
    responseCache: { maxBytes: 0, maxSeconds: 0 },
    metrics: createGatewayMetrics(silentMetrics),
    log: silentLogger,
  });
  try {
    return { documents: documents.length, invalid: await checkDocuments(graph, documents) };
  } finally {
    await graph.close();
  }
}
