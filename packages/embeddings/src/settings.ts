import { httpUrl, milliseconds, wholeNumber } from '@lectern/serving';
import { EnvError, makeValidator, str } from 'envalid';

const mostThreads = 256;
const mostWaiting = 1_000_000;
const mostDimensions = 65_536;

const trueOrFalse = makeValidator<boolean>((text) => {
  if (text !== 'true' && text !== 'false') throw new EnvError('must be true or false');
  return text === 'true';
});

/** How text becomes vectors: nothing set, the built-in model does it. Every process that embeds reads these. */
export const embeddingsSettings = {
  EMBEDDINGS_MODEL_DIR: str({
    default: '',
    desc: 'A folder with an ONNX sentence encoder in Hugging Face layout that replaces the built-in model.',
  }),
  EMBEDDINGS_POOLING: str({
    default: '',
    choices: ['', 'mean', 'cls'],
    desc: 'With EMBEDDINGS_MODEL_DIR: how token vectors become one, mean or cls. Empty: as the folder says, else mean.',
  }),
  EMBEDDINGS_QUERY_PREFIX: str({
    default: '',
    desc: 'With EMBEDDINGS_MODEL_DIR or EMBEDDINGS_URL: text that the model wants before a question, such as "query: ", blanks included.',
  }),
  EMBEDDINGS_PASSAGE_PREFIX: str({
    default: '',
    desc: 'With EMBEDDINGS_MODEL_DIR or EMBEDDINGS_URL: text that the model wants before a verse, such as "passage: ", blanks included.',
  }),
  EMBEDDINGS_URL: httpUrl({
    default: '',
    desc: 'An OpenAI-compatible endpoint that embeds instead of a model in this process, up to and without /embeddings.',
  }),
  EMBEDDINGS_MODEL: str({
    default: '',
    desc: 'With EMBEDDINGS_URL: the name of the model to ask for. Empty: the built-in model, served by `npm run embeddings -- serve`.',
  }),
  EMBEDDINGS_API_KEY: str({
    default: '',
    desc: 'The bearer key that the endpoint is asked with, and the one that `npm run embeddings -- serve` demands. Empty: none.',
  }),
  EMBEDDINGS_DIMENSIONS: wholeNumber(
    0,
    mostDimensions,
  )({
    default: 0,
    desc: "With EMBEDDINGS_URL: the dimensions of the model's vectors. Not needed for the built-in model.",
  }),
  EMBEDDINGS_SEND_DIMENSIONS: trueOrFalse({
    default: false,
    desc: 'With EMBEDDINGS_URL: asks the endpoint for that many dimensions, for models that can give fewer than they have.',
  }),
  EMBEDDINGS_TIMEOUT_MS: milliseconds({
    default: 5000,
    desc: 'With EMBEDDINGS_URL: what a question may take, all attempts included, in milliseconds.',
  }),
  EMBEDDINGS_THREADS: wholeNumber(
    1,
    mostThreads,
  )({
    default: 2,
    desc: 'Cores that share the work of a model in this process. More of them answer more questions a second; the memory stays the same.',
  }),
  EMBEDDINGS_QUEUE: wholeNumber(
    1,
    mostWaiting,
  )({ default: 1000, desc: 'Texts that may wait for a model in this process; more are refused at once.' }),
};
