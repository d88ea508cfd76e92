import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isCorpusError, openCorpus } from '@lectern/corpus';
import { isChecksummedFileError } from '@lectern/data-files';
import { buildVectors } from './build-vectors';
import { createBuiltInEmbedder } from './built-in-embedder';
import { readConfig } from './config';
import { createEmbedder } from './create-embedder';
import { lexicalOverlapFile, shippedVectors, vectorsFile } from './data-files';
import { isEmbedderError } from './embedder';
import { buildLexicalOverlap } from './lexical-overlap-file';
import { trueCosine, verifyVectors } from './verify-vectors';

const usage = `Usage: npm run embeddings -- COMMAND [options]

  serve   offers the built-in model as an OpenAI-compatible endpoint, for several processes to share
          (HOST, PORT, EMBEDDINGS_API_KEY, EMBEDDINGS_THREADS, EMBEDDINGS_QUEUE)
  build   makes the verse vectors of an edition, or brings them up to date; after Ctrl-C it goes on where it stopped
  verify  computes some vectors anew and says whether a file is true

  --translation ID  the edition (default spa-rv1909)
  --data DIR        where corpus.sqlite is and vectors go (default: data, or LECTERN_DATA)
  --file FILE       the vectors file (build: DIR/ID.vec; verify: that, or else the one that ships with Lectern)
  --sample N        verify: how many verses (default 200)
  --help            this text

build and verify embed with the model that EMBEDDINGS_MODEL_DIR or EMBEDDINGS_URL choose, else with the built-in one.`;

export interface Surroundings {
  env: NodeJS.ProcessEnv;
  out: (line: string) => void;
  err: (line: string) => void;
  /** Ends what is under way. */
  signal: AbortSignal;
  /** Listens until stopped. */
  serve: (options: {
    embedder: ReturnType<typeof createBuiltInEmbedder>;
    config: ReturnType<typeof readConfig>;
  }) => Promise<void>;
}

/** Runs one command line and gives the exit code: 0 done, 1 it failed, 2 it was not understood, 130 it was stopped. */
export async function runEmbeddingsCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { out, err, signal } = surroundings;
  const parsed = parse(argv);
  if (typeof parsed === 'string') {
    err(`embeddings: ${parsed}\n${usage}`);
    return 2;
  }
  if (parsed.values.help) {
    out(usage);
    return 0;
  }
  try {
    if (parsed.command === 'serve') return await serve(surroundings);
    return await (parsed.command === 'build' ? build : verify)(parsed.values, surroundings);
  } catch (error) {
    if (signal.aborted) {
      err('stopped; the same command goes on from here');
      return 130;
    }
    if (!isSpoken(error)) throw error;
    err(`embeddings ${parsed.command}: ${error.message}`);
    return 1;
  }
}

/** Faults of files, settings and endpoints are told in one line; anything else is ours and keeps its stack. */
const isSpoken = (error: unknown): error is Error =>
  isEmbedderError(error) ||
  isChecksummedFileError(error) ||
  isCorpusError(error) ||
  (error instanceof Error && ('syscall' in error || error.name === 'UsageError'));

const usageError = (message: string): Error => Object.assign(new Error(message), { name: 'UsageError' });

interface Values {
  translation: string;
  data?: string;
  file?: string;
  sample: string;
  help: boolean;
}

function parse(argv: readonly string[]): { command: 'serve' | 'build' | 'verify'; values: Values } | string {
  try {
    const {
      values,
      positionals: [command = values.help ? 'serve' : '', ...rest],
    } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        translation: { type: 'string', default: 'spa-rv1909' },
        data: { type: 'string' },
        file: { type: 'string' },
        sample: { type: 'string', default: '200' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (command === '') return 'a command is missing';
    if (command !== 'serve' && command !== 'build' && command !== 'verify') return `'${command}' is no command`;
    if (rest.length > 0) return `'${rest[0] ?? ''}' is one argument too many`;
    return { command, values };
  } catch (error) {
    return error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error);
  }
}

async function serve({ env, serve: listenWith }: Surroundings): Promise<number> {
  const config = readConfig(env);
  const embedder = createBuiltInEmbedder({ cores: config.EMBEDDINGS_THREADS, queueLength: config.EMBEDDINGS_QUEUE });
  await embedder.warm();
  await listenWith({ embedder, config });
  return 0;
}

async function open({ translation, data }: Values, env: NodeJS.ProcessEnv) {
  const config = readConfig(env);
  const dataDir = data ?? config.LECTERN_DATA;
  const corpus = openCorpus(join(dataDir, 'corpus.sqlite'));
  if (!corpus.translation(translation))
    throw usageError(
      `the corpus has no edition ${translation}; it has ${corpus.translations.map(({ identifier }) => identifier).join(', ')}`,
    );
  const embedder = await createEmbedder(config);
  const close = async (): Promise<void> => {
    corpus.close();
    await embedder.close();
  };
  return { dataDir, corpus, embedder, close };
}

async function build(values: Values, { env, out, err, signal }: Surroundings): Promise<number> {
  const { translation } = values;
  const { dataDir, corpus, embedder, close } = await open(values, env);
  try {
    const file = values.file ?? vectorsFile(dataDir, translation);
    const { verses, computed } = await buildVectors({
      corpus,
      translation,
      embedder,
      file,
      shipped: shippedVectors(translation),
      log: err,
      signal,
    });
    await buildLexicalOverlap({ corpus, translation, file: lexicalOverlapFile(dataDir, translation) });
    out(
      computed === 0 ? `${file} is up to date: ${verses} verses` : `${file}: ${computed} of ${verses} verses computed`,
    );
    return 0;
  } finally {
    await close();
  }
}

async function verify(values: Values, { env, out, signal }: Surroundings): Promise<number> {
  const { translation } = values;
  const sample = Number(values.sample);
  if (!(Number.isInteger(sample) && sample > 0))
    throw usageError(`--sample takes a number of verses, and not '${values.sample}'`);
  const { dataDir, corpus, embedder, close } = await open(values, env);
  try {
    const file = values.file ?? shippedVectors(translation) ?? vectorsFile(dataDir, translation);
    const { verses, sampled, otherTexts, leastCosine } = await verifyVectors({
      corpus,
      translation,
      embedder,
      file,
      sample,
      signal,
    });
    const isTrue = sampled > 0 && leastCosine >= trueCosine;
    out(
      `${file}: ${sampled} of ${verses} verses computed anew, cosine at least ${leastCosine.toFixed(4)}: ${isTrue ? 'true' : 'NOT what these texts give'}`,
    );
    if (otherTexts > 0) out(`${otherTexts} verses have other texts now; \`npm run data\` computes those`);
    return isTrue ? 0 : 1;
  } finally {
    await close();
  }
}
