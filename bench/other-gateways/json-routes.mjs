// An upper bound for the other gateways: the same data without GraphQL. Each Fastify route has a response
// schema, and reads the same stores and indexes as the subgraphs. The API key check and the rate limit are
// those of Lectern's gateway.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Fastify from 'fastify';

const require = createRequire(import.meta.url);
const { findBook, verseId } = require('../../packages/canon/dist/index.js');
const { openCorpus } = require('../../packages/corpus/dist/index.js');
const { openKeys, readPepper } = require('../../packages/keys/dist/index.js');
const { createMemoryCounterStore } = require('../../gateway/dist/admission/counters.js');
const { createRateLimiter } = require('../../gateway/dist/admission/rate-limiter.js');
const { createCrossTranslationSearch } = require('../../services/search/dist/full-text/verse-search.js');
const { openSearchFiles } = require('../../services/search/dist/store.js');
const { createFullTextSearch } = require('../../services/search/dist/full-text/search.js');
const { createSearchStore } = require('../../services/search/dist/store.js');
const { createTextStore } = require('../../services/text/dist/store.js');
const { createWorkScheduler } = require('../../packages/subgraph/dist/index.js');
const { runToEnd } = require('../../packages/testing/dist/index.js');

const { LECTERN_DATA = '', KEYS = '' } = process.env;
const corpus = openCorpus(LECTERN_DATA);
const translation = corpus.translation('eng-web');
if (!translation) throw new Error('The corpus has no eng-web');
const bookNames = new Map(translation.books.map(({ code, name }) => [code, name]));
const searchFiles = openSearchFiles({ dataDir: LECTERN_DATA });
const searchStore = createSearchStore(searchFiles);
const sharedWork = createWorkScheduler().createUnlimitedBudget();
const fullText = createFullTextSearch(searchStore, createCrossTranslationSearch(searchFiles, sharedWork));
const textStore = createTextStore(corpus);
const keys = openKeys({
  file: join(KEYS, 'keys.sqlite'),
  pepper: readPepper({ setting: undefined, file: join(KEYS, 'key-pepper') }),
});
const rateLimiter = createRateLimiter({ counters: createMemoryCounterStore(), environment: 'test', now: Date.now });
const addressLimit = { name: 'address', max: 999_999_999, seconds: 60 };
const keyRateLimit = { name: 'key-minute', max: 999_999_999, seconds: 60 };
const keyLimit = { name: 'key', max: 999_999_999, seconds: 86_400 };

const app = Fastify();

app.addHook('onRequest', async (request, reply) => {
  const authentication = await keys.authenticate(
    /^Bearer ([\x21-\x7e]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null,
    'test',
  );
  if (authentication.kind !== 'caller') return reply.code(401).send({ message: 'Invalid or missing API key' });
  const states = await rateLimiter.consume([
    { limit: addressLimit, subject: request.ip },
    { limit: keyRateLimit, subject: authentication.key.id, max: authentication.key.requestsPerMinute },
    { limit: keyLimit, subject: authentication.key.id, max: authentication.key.requestsPerDay },
  ]);
  if (!states.every(({ allowed }) => allowed)) return reply.code(429).send({ message: 'Rate limit exceeded' });
});

const string = { type: 'string' };
const number = { type: 'integer' };
const responds = (schema) => ({ schema: { response: { 200: schema } } });
const verseSchema = {
  type: 'object',
  properties: { bookId: string, bookName: string, chapter: number, verse: number, text: string, reference: string },
};
const chapterSchema = {
  type: 'array',
  items: { type: 'object', properties: { id: string, bookName: string, chapter: number, verse: number, text: string } },
};

app.get('/verse/:book/:chapter/:verse', responds(verseSchema), async ({ params }, reply) => {
  const book = findBook(params.book, translation.language);
  const found = book && corpus.verse(translation.identifier, book.code, Number(params.chapter), Number(params.verse));
  if (!found) return reply.code(404).send();
  const bookName = bookNames.get(found.book);
  return {
    bookId: found.book,
    bookName,
    chapter: found.chapter,
    verse: found.verse,
    text: found.text,
    reference: `${bookName} ${found.chapter}:${found.verse}`,
  };
});

app.get('/chapter/:book/:chapter', responds(chapterSchema), async ({ params }, reply) => {
  const book = findBook(params.book, translation.language);
  if (!book) return reply.code(404).send();
  return corpus
    .chapter(translation.identifier, book.code, Number(params.chapter))
    .map(({ book, chapter, verse, text }) => ({
      id: verseId({ translation: translation.identifier, book, chapter, verse }),
      bookName: bookNames.get(book),
      chapter,
      verse,
      text,
    }));
});

const hitSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { id: string, bookName: string, chapter: number, verse: number, text: string, reference: string },
  },
};
const parallelSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: string,
      reference: string,
      text: string,
      inTranslation: { type: 'object', nullable: true, properties: { reference: string, text: string } },
    },
  },
};

const search = (identifier, words, limit) => {
  const translation = searchStore.translation(identifier);
  const { hits } = runToEnd(fullText.firstHits(translation, words, { limit, order: null }));
  return searchStore
    .verses(
      translation,
      hits.map(({ ordinal }) => ordinal),
    )
    .filter((verse) => verse !== null)
    .map((verse) => {
      const { book, chapter, verse: number, text } = verse;
      const bookName = searchStore.bookName(translation, book);
      return {
        verse,
        id: verseId({ translation: identifier, book, chapter, verse: number }),
        bookName,
        chapter,
        number,
        text,
        reference: `${bookName} ${chapter}:${number}`,
      };
    });
};

app.get('/search/:words', responds(hitSchema), async ({ params }) =>
  search('eng-web', params.words, null).map(({ id, bookName, chapter, number, text, reference }) => ({
    id,
    bookName,
    chapter,
    verse: number,
    text,
    reference,
  })),
);

app.get('/entities/:words', responds(parallelSchema), async ({ params }) => {
  const english = textStore.translation('eng-kjv');
  const spanish = textStore.translation('spa-rv1909');
  const hits = search('eng-kjv', params.words, 10);
  const parallel = textStore.verses(
    spanish,
    hits.flatMap(({ verse }) => textStore.renumber(verse, english.numbering, spanish) ?? []),
  );
  return hits.map(({ id, reference, text }, index) => {
    const other = parallel[index];
    return {
      id,
      reference,
      text,
      inTranslation: other && {
        reference: `${textStore.shape(spanish).bookName(other.book)} ${other.chapter}:${other.verse}`,
        text: other.text,
      },
    };
  });
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
