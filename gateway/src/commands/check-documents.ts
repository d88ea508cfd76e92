import { errorMessage, silentLogger } from '@lectern/serving';
import { silentMetrics } from '@lectern/telemetry';
import { Command, CommanderError } from 'commander';
import { type GatewayConfig, gatewayOptions, readConfig, readSupergraphHeaders } from '../config';
import { checkDocuments, parseManifest, quote } from '../documents/manifest';
import { createGatewayMetrics } from '../metrics';
import { openManifestSource, openSupergraphSource } from '../shared/text-sources';
import { transportWithoutReplicas } from '../transport/in-process';

interface CommandContext {
  env: NodeJS.ProcessEnv;
  /** Writes a text to standard output. The text must end with a line feed. */
  stdout: (text: string) => void;
  stderr: (text: string) => void;
}

const help = `
Exit status: 0 the gateway would use the manifest, 1 it would not, 2 invalid command line.
The limits are MAX_TOKENS, MAX_DEPTH and MAX_COMPLEXITY, as the gateway reads them. Variables cost as their defaults do.`;

export async function runDocumentsCommand(args: readonly string[], context: CommandContext): Promise<number> {
  let status = 2;
  const program: Command = new Command('npm run documents --')
    .usage('COMMAND [options]')
    .helpCommand(false)
    .configureOutput({ writeOut: context.stdout, writeErr: context.stderr })
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText('after', help);
  program
    .command('check')
    .description('Check a manifest of trusted documents as the gateway does when it loads TRUSTED_DOCUMENTS.')
    .argument('<FILE>', 'the manifest of Apollo or Relay: a file, or a URL that begins with http')
    .option('--supergraph <FILE>', 'the supergraph with the schema: a file or a URL (default: SUPERGRAPH)')
    .allowExcessArguments(false)
    .addHelpText('after', help)
    .action(async (manifest: string, { supergraph }: { supergraph?: string }) => {
      status = await check(manifest, supergraph, context);
    });
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

async function check(
  manifest: string,
  supergraph: string | undefined,
  { env, stdout, stderr }: CommandContext,
): Promise<number> {
  try {
    const { documents, invalid } = await checkManifest(manifest, supergraph, readConfig(env));
    const count = documents === 1 ? '1 operation is' : `${documents} operations are`;
    for (const { name, reason } of invalid) stderr(`${quote(name)}: ${reason}\n`);
    if (invalid.length === 0) stdout(`${manifest}: ${count} valid.\n`);
    else stderr(`${manifest}: ${invalid.length} of ${count} invalid.\n`);
    return invalid.length === 0 ? 0 : 1;
  } catch (error) {
    stderr(`${errorMessage(error)}\n`);
    return 1;
  }
}

/** Rejects with the reason if the file is not a manifest, or the supergraph cannot be used. */
async function checkManifest(manifest: string, supergraph: string | undefined, config: GatewayConfig) {
  // The import is dynamic, because loading @apollo/gateway takes longer than printing the help.
  const { createGraph } = await import('../graph.js');
  const found = await openManifestSource(manifest).read(null);
  const documents = parseManifest(found?.text ?? '');
  const sdl = await openSupergraphSource(
    supergraph ?? config.SUPERGRAPH,
    supergraph === undefined ? readSupergraphHeaders(config) : {},
  ).read(null);
  const { limits, operationCacheBytes } = gatewayOptions(config);
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
