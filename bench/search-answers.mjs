// Measures how often the modes of searchVerses find a right verse first, and among the first five, by
// language and by kind of query: node bench/search-answers.mjs FILE. The file is tab-separated, with the header
// `id language translation kind query answers`: answers are references such as PSA 23:1; JHN 3:16-18.
// Settings: MODES, by default WORDS,MEANING,BEST. MISSES=1 also prints each query whose right verses are
// not among the first five. Needs `npm run build` and `npm run data`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { cleanEnv } = require('envalid');
const { parseReference, toStandard, verseOrdinal } = require('../packages/canon/dist/index.js');
const { openCorpus } = require('../packages/corpus/dist/index.js');
const { silentLogger } = require('../packages/serving/dist/index.js');
const { executeInProcess } = require('../packages/subgraph/dist/index.js');
const { createSearchSubgraph, createSemanticOptions, semanticSettings } = require('../services/search/dist/index.js');

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Give a file of queries: node bench/search-answers.mjs FILE');
  process.exit(2);
}
const dataDir = process.env.LECTERN_DATA ?? 'data';
const settings = cleanEnv({ SEMANTIC_TIMEOUT_MS: '60000' }, semanticSettings);
const semantic = await createSemanticOptions({ settings, dataDir, log: silentLogger });
const corpus = openCorpus(dataDir);
const numberings = new Map(corpus.translations.map(({ identifier, numbering }) => [identifier, numbering]));
corpus.close();
const subgraph = await createSearchSubgraph({ dataDir, semantic });
const execute = executeInProcess(subgraph, silentLogger);
const document = `query($query: String!, $translation: String, $mode: SearchMode) {
  searchVerses(query: $query, translation: $translation, mode: $mode, first: 5) { edges { node { bookId chapter verse } } }
}`;
const queries = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', language = '', translation = '', kind = '', query = '', answers = ''] = line.split('\t');
    return { id, language, translation, kind, query, ranges: answers.split(';').flatMap(toRanges) };
  });
for (const mode of (process.env.MODES ?? 'WORDS,MEANING,BEST').split(',')) await measureMode(mode);
await subgraph.close();

/** Returns the first and the last verse of each span of a reference, as ordinals of the standard numbering. */
function toRanges(text) {
  const parsed = parseReference(text.trim(), 'eng');
  if (parsed.kind !== 'reference') throw new Error(`not a reference: ${text}`);
  return parsed.spans.map(({ start, end }) => [
    verseOrdinal({ ...start, chapter: start.chapter ?? 0, verse: start.verse ?? 0 }),
    verseOrdinal({ ...end, chapter: end.chapter ?? 999, verse: end.verse ?? 999 }),
  ]);
}

async function measureMode(mode) {
  const groups = new Map();
  const times = [];
  for (const { id, language, translation, kind, query, ranges } of queries) {
    const started = performance.now();
    const { data, errors } = await execute({ query: document, variables: { query, translation, mode } });
    times.push(performance.now() - started);
    if (errors) throw new Error(errors[0].message);
    const isRight = ({ node: { bookId: book, chapter, verse } }) => {
      const standard = toStandard(numberings.get(translation) ?? 'standard', { book, chapter, verse });
      const ordinal = standard ? verseOrdinal(standard) : 0;
      return ranges.some(([first, last]) => first <= ordinal && ordinal <= last);
    };
    const rank = Object(data).searchVerses.edges.findIndex(isRight);
    for (const group of ['all', language, `${language} ${kind}`])
      groups.set(group, [...(groups.get(group) ?? []), rank]);
    if (process.env.MISSES && rank < 0) console.log(`${mode} misses ${id} (${translation}, ${kind}): ${query}`);
  }
  const middle = times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(1);
  console.log(`\n${mode.padEnd(24)}   n  first  among five   (p50 ${middle} ms)`);
  const share = (ranks, isCounted) => (ranks.filter(isCounted).length / ranks.length).toFixed(3);
  for (const [name, ranks] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(
      `${name.padEnd(24)} ${String(ranks.length).padStart(3)}  ${share(ranks, (rank) => rank === 0)}  ${share(ranks, (rank) => rank >= 0)}`,
    );
}
