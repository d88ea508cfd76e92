// The floor: what the same answers cost without GraphQL. Fastify routes with a schema for each answer, over the readers and the search that the
// subgraphs use, behind the same look-up of the key and the same count of its rate as the gateway's.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Fastify from 'fastify';

const require = createRequire(import.meta.url);
const { findBook, verseId } = require('../../packages/canon/dist/index.js');
const { openCorpus } = require('../../packages/corpus/dist/index.js');
const { openKeys, readPepper } = require('../../packages/keys/dist/index.js');
const { createMemoryCounterStore } = require('../../gateway/dist/rate/memory-counts.js');
const { createRateLimiter } = require('../../gateway/dist/rate/rate.js');
const { createFullTextIndex } = require('../../services/search/dist/full-text/full-text-index.js');
const { openIndexFile } = require('../../services/search/dist/search-file.js');
const { createFullTextSearch } = require('../../services/search/dist/full-text/full-text-search.js');
const { createSearchStore } = require('../../services/search/dist/store.js');
const { createTextStore } = require('../../services/text/dist/store.js');

const corpus = openCorpus(join(process.env.LECTERN_DATA, 'corpus.sqlite'));
const edition = corpus.translation('eng-web');
const bookNames = new Map(edition.books.map(({ code, name }) => [code, name]));
const index = openIndexFile(join(process.env.LECTERN_DATA, 'search.sqlite'));
const found = createSearchStore(index);
const searches = createFullTextSearch(found, createFullTextIndex(index, found.editions()));
const texts = createTextStore(corpus);
const keys = openKeys({
  file: join(process.env.KEYS, 'keys.sqlite'),
  pepper: readPepper({ file: join(process.env.KEYS, 'key-pepper') }),
});
const rate = createRateLimiter({ counts: createMemoryCounterStore(), now: Date.now });
const perAddress = { name: 'address', most: 999_999_999, seconds: 60 };
const perKey = { name: 'key', most: 999_999_999, seconds: 86_400 };

const app = Fastify();

app.addHook('onRequest', async (request, reply) => {
  const found = await keys.authenticate(
    /^Bearer ([\x21-\x7e]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null,
    'test',
  );
  if (found.kind !== 'caller') return reply.code(401).send({ message: 'Invalid or missing API key' });
  const taken = await rate.take([
    { allowance: perAddress, who: request.ip },
    { allowance: perKey, who: found.key.id, most: found.key.requestsPerDay },
  ]);
  if (!taken.every(({ allowed }) => allowed)) return reply.code(429).send({ message: 'Rate limit exceeded' });
});

const string = { type: 'string' };
const number = { type: 'integer' };
const answers = (schema) => ({ schema: { response: { 200: schema } } });
const verseSchema = {
  type: 'object',
  properties: { bookId: string, bookName: string, chapter: number, verse: number, text: string, reference: string },
};
const chapterSchema = {
  type: 'array',
  items: { type: 'object', properties: { id: string, bookName: string, chapter: number, verse: number, text: string } },
};

app.get('/verse/:book/:chapter/:verse', answers(verseSchema), async ({ params }, reply) => {
  const book = findBook(params.book, edition.language);
  const found = book && corpus.verse(edition.identifier, book.code, Number(params.chapter), Number(params.verse));
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

app.get('/chapter/:book/:chapter', answers(chapterSchema), async ({ params }, reply) => {
  const book = findBook(params.book, edition.language);
  if (!book) return reply.code(404).send();
  return corpus
    .chapter(edition.identifier, book.code, Number(params.chapter))
    .map(({ book, chapter, verse, text }) => ({
      id: verseId({ translation: edition.identifier, book, chapter, verse }),
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
const besideSchema = {
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
  const edition = found.edition(identifier);
  const { hits } = searches.top(edition, words, { limit, order: null });
  return found
    .verses(
      edition,
      hits.map(({ ordinal }) => ordinal),
    )
    .map((verse) => {
      const { book, chapter, verse: number, text } = verse;
      const bookName = found.bookName(edition, book);
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

app.get('/search/:words', answers(hitSchema), async ({ params }) =>
  search('eng-web', params.words, null).map(({ id, bookName, chapter, number, text, reference }) => ({
    id,
    bookName,
    chapter,
    verse: number,
    text,
    reference,
  })),
);

app.get('/entities/:words', answers(besideSchema), async ({ params }) => {
  const english = texts.translation('eng-kjv');
  const spanish = texts.translation('spa-rv1909');
  const hits = search('eng-kjv', params.words, 10);
  const beside = texts.verses(
    spanish,
    hits.map(({ verse }) => texts.renumber(verse, english.numbering, spanish)),
  );
  return hits.map(({ id, reference, text }, index) => {
    const other = beside[index];
    return {
      id,
      reference,
      text,
      inTranslation: other && {
        reference: `${texts.bookName(spanish, other.book)} ${other.chapter}:${other.verse}`,
        text: other.text,
      },
    };
  });
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
