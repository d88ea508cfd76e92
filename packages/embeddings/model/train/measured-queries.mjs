// Finds out whether a text is a query with which search is evaluated. Training must leave out these queries, because
// otherwise the evaluation would show too good results.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');
const { functionWords, tokenize } = createRequire(import.meta.url)('@lectern/words');

/** The files with queries for evaluation, and the columns that contain the queries. */
const files = [
  ['services/search/fixtures/care.tsv', [2]],
  ['services/search/fixtures/care-lookalikes.tsv', [1]],
  ['bench/search-answers/development.tsv', [4]],
  ['bench/search-answers/held-out.tsv', [4]],
  ['packages/embeddings/evaluation/queries.tsv', [3]],
  ['packages/embeddings/evaluation/stories.tsv', [0, 1]],
  ['packages/embeddings/evaluation/languages/questions.tsv', [1, 2, 3, 4, 5, 6]],
  ['packages/embeddings/evaluation/held-out-languages/questions.tsv', [1, 2, 3, 4]],
  ['packages/embeddings/evaluation/facts.tsv', [0]],
  ['packages/embeddings/evaluation/held-out/english.tsv', [1]],
  ['packages/embeddings/evaluation/held-out/spanish.tsv', [1]],
  ['packages/embeddings/evaluation/held-out/other-languages.tsv', [1, 2, 3, 4]],
];
const stops = new Set(['eng', 'spa'].flatMap((language) => [...functionWords(language)]));
/** Every query of these files. */
export const measuredTexts = files.flatMap(([file, columns]) =>
  readFileSync(join(repository, file), 'utf8')
    .trimEnd()
    .split(/\r?\n/)
    .flatMap((line) => columns.map((column) => line.split('\t')[column] ?? '')),
);
const measured = new Set(measuredTexts.map(keyOf));

/**
 * Returns the words of a text, sorted and without function words, so that two spellings of a query have the same key.
 */
function keyOf(text) {
  const words = tokenize(text).map(({ folded }) => folded);
  const content = words.filter((word) => !stops.has(word));
  return [...new Set(content.length > 0 ? content : words)].sort().join(' ');
}

export const isMeasured = (text) => measured.has(keyOf(text));
