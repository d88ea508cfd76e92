import type { SettingValues } from '@lectern/serving';
import { httpUrl, milliseconds, wholeNumber } from '@lectern/serving';
import { EnvError, makeValidator, str } from 'envalid';

const dimensions = wholeNumber(0, 65_536);
const threads = wholeNumber(1, 256);
const waitingTexts = wholeNumber(1, 1_000_000);
const trueOrFalse = makeValidator<boolean>((text) => {
  if (text !== 'true' && text !== 'false') throw new EnvError('must be true or false');
  return text === 'true';
});

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
    desc: 'With EMBEDDINGS_MODEL_DIR or EMBEDDINGS_URL: the prefix that the model needs before a query, such as "query: ", spaces included.',
  }),
  EMBEDDINGS_PASSAGE_PREFIX: str({
    default: '',
    desc: 'With EMBEDDINGS_MODEL_DIR or EMBEDDINGS_URL: the prefix that the model needs before a verse, such as "passage: ", spaces included.',
  }),
  EMBEDDINGS_URL: httpUrl({
    default: '',
    desc: 'The base URL of an OpenAI-compatible endpoint that embeds instead of a model in this process, without /embeddings.',
  }),
  EMBEDDINGS_MODEL: str({
    default: '',
    desc: 'With EMBEDDINGS_URL, required: the name of the model at the endpoint. With the id of the built-in model, the vectors that ship with Lectern are used.',
  }),
  EMBEDDINGS_API_KEY: str({
    default: '',
    desc: 'With EMBEDDINGS_URL: the bearer key to send to the endpoint. Empty: none.',
  }),
  EMBEDDINGS_DIMENSIONS: dimensions({
    default: 0,
    desc: "With EMBEDDINGS_URL: the dimensions of the model's vectors. Not required for the built-in model.",
  }),
  EMBEDDINGS_SEND_DIMENSIONS: trueOrFalse({
    default: false,
    desc: 'With EMBEDDINGS_URL: sends EMBEDDINGS_DIMENSIONS with each request, for models that can return fewer dimensions than their maximum.',
  }),
  EMBEDDINGS_TIMEOUT_MS: milliseconds({
    default: 5000,
    desc: 'With EMBEDDINGS_URL: the deadline for a query, retries included, in milliseconds.',
  }),
  EMBEDDINGS_THREADS: threads({
    default: 2,
    desc: 'The number of cores that compute one text together in this process. More cores compute more queries a second and need no more memory.',
  }),
  EMBEDDINGS_QUEUE: waitingTexts({
    default: 1000,
    desc: 'The maximum number of texts that wait for a model in this process. Further texts are rejected at once.',
  }),
};

export type EmbeddingsSettings = SettingValues<typeof embeddingsSettings>;
