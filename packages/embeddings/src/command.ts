import { type Corpus, isCorpusError, openCorpus } from '@lectern/corpus';
import { isChecksummedFileError } from '@lectern/data-files';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { buildVectors, requiredCosine, verifyVectors } from './build-vectors';
import { readConfig } from './config';
import { createEmbedder } from './create-embedder';
import { type Embedder, isEmbedderError } from './embedder';
import { shippedVectors, vectorsFile } from './vectors';

export interface CommandContext {
  env: NodeJS.ProcessEnv;
  /** Writes a text to standard output. The text includes its line feed. */
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** Stops a running command when it is aborted. */
  signal: AbortSignal;
}

interface BuildOptions {
  translation: string;
  data?: string;
  file?: string;
}

/** Resolves with the exit status: 0 done, 1 failed, 2 invalid command line, 130 stopped by a signal. */
export async function runEmbeddingsCommand(args: readonly string[], context: CommandContext): Promise<number> {
  let status = 0;
  const program = createProgram(context, (failed) => (status = failed));
  let name = '';
  program.hook('preAction', (_, command) => void (name = command.name()));
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (context.signal.aborted) {
      context.stderr('stopped; the same command continues from here\n');
      return 130;
    }
    if (!isExpected(error)) throw error;
    context.stderr(`embeddings ${name}: ${error.message}\n`);
    return 1;
  }
}

function createProgram(context: CommandContext, setStatus: (status: number) => void): Command {
  const program: Command = new Command('npm run embeddings --')
    .usage('COMMAND [options]')
    .argument('[command]')
    .allowExcessArguments()
    .configureOutput({ writeOut: context.stdout, writeErr: context.stderr })
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText(
      'after',
      '\nbuild and verify embed with the model that EMBEDDINGS_MODEL_DIR or EMBEDDINGS_URL choose, else with the built-in one.',
    )
    .action((word: string | undefined) =>
      program
        .showHelpAfterError(word === undefined)
        .error(word === undefined ? 'error: a command is missing' : `error: unknown command '${word}'`),
    );
  const addBuildCommand = (name: string, description: string, defaultFile: string): Command =>
    program
      .command(name)
      .description(description)
      .usage('[options]')
      .allowExcessArguments(false)
      .option('--translation <ID>', 'The translation.', 'spa-rv1909')
      .option('--data <DIR>', 'The folder with the translations and the vectors (default: LECTERN_DATA, else data).')
      .option('--file <FILE>', `The vectors file (default: ${defaultFile}).`);

  addBuildCommand(
    'build',
    'Build the verse vectors of a translation, or update them.\nAfter Ctrl-C, the same command continues where it stopped.',
    'DIR/ID.vec',
  ).action((options: BuildOptions) => build(options, context));
  addBuildCommand(
    'verify',
    'Recompute some vectors and say whether a file is valid.',
    'the one that ships with Lectern, else DIR/ID.vec',
  )
    .option('--sample <N>', 'The number of verses to recompute.', parseSample, 200)
    .action(async (options: BuildOptions & { sample: number }) => {
      if (!(await verify(options, context))) setStatus(1);
    });
  return program;
}

function parseSample(text: string): number {
  const sample = Number(text);
  if (!(Number.isInteger(sample) && sample > 0))
    throw new InvalidArgumentError(`It must be a whole number from 1, not '${text}'.`);
  return sample;
}

/**
 * Returns whether the operator can repair the cause of an error, such as a damaged file, a wrong argument or setting,
 * or an unusable embedder. Such an error is printed in one line. Any other error is our bug, and its stack is
 * printed.
 */
const isExpected = (error: unknown): error is Error =>
  isEmbedderError(error) ||
  isChecksummedFileError(error) ||
  isCorpusError(error) ||
  (error instanceof Error && ('syscall' in error || error.name === 'UsageError'));

interface Opened {
  dataDir: string;
  corpus: Corpus;
  embedder: Embedder;
}

/** Runs `work` with the corpus, which must have the translation, and the embedder that the settings choose. */
async function withCorpus<Result>(
  { translation, data }: BuildOptions,
  env: NodeJS.ProcessEnv,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(env);
  const dataDir = data ?? config.LECTERN_DATA;
  const corpus = openCorpus(dataDir);
  if (!corpus.translation(translation)) {
    const present = corpus.translations.map(({ identifier }) => identifier).join(', ');
    throw Object.assign(new Error(`the corpus has no translation ${translation}; it has ${present}`), {
      name: 'UsageError',
    });
  }
  const embedder = await createEmbedder(config);
  try {
    return await work({ dataDir, corpus, embedder });
  } finally {
    corpus.close();
    await embedder.close();
  }
}

const build = (options: BuildOptions, { env, stdout, stderr, signal }: CommandContext): Promise<void> =>
  withCorpus(options, env, async ({ dataDir, corpus, embedder }) => {
    const { translation } = options;
    const file = options.file ?? vectorsFile(dataDir, translation);
    const shipped = shippedVectors(translation);
    const log = (line: string) => stderr(`${line}\n`);
    const { verses, computed } = await buildVectors({ corpus, translation, embedder, file, shipped, log, signal });
    stdout(
      computed === 0
        ? `${file} is up to date: ${verses} verses\n`
        : `${file}: ${computed} of ${verses} verses computed\n`,
    );
  });

/** Compares stored vectors with vectors that are computed again. Resolves with true if the file is valid. */
const verify = (
  options: BuildOptions & { sample: number },
  { env, stdout, signal }: CommandContext,
): Promise<boolean> =>
  withCorpus(options, env, async ({ dataDir, corpus, embedder }) => {
    const { translation, sample } = options;
    const file = options.file ?? shippedVectors(translation) ?? vectorsFile(dataDir, translation);
    const compared = await verifyVectors({ corpus, translation, embedder, file, sample, signal });
    const { verses, sampled, outdated, minCosine } = compared;
    const isValid = sampled > 0 && minCosine >= requiredCosine;
    stdout(
      `${file}: ${sampled} of ${verses} verses recomputed, minimum cosine ${minCosine.toFixed(4)}: ${isValid ? 'valid' : 'NOT made from these texts by this model'}\n`,
    );
    if (outdated > 0) stdout(`${outdated} verses have other texts now; \`npm run data\` computes those\n`);
    return isValid;
  });
