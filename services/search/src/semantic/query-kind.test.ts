import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chapterEnds, ordinalParts, type Place } from '@lectern/canon';
import { repositoryRoot } from '@lectern/testing';
import { readQuestions } from './build-phrases';
import { createClassifyQuery } from './query-kind';

/** Returns a column of a tab-separated file, in small letters. */
const column = (file: string, index: number): string[] =>
  readFileSync(join(repositoryRoot, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[index]?.toLowerCase() ?? '');

test('with an embedding model that is not built in, every query is classified as a query about the Bible without a need', () => {
  const classify = createClassifyQuery('another model');
  expect(classify(new Float32Array(384).fill(1), 0)).toEqual({ isRelated: true, need: null });
});

const measured = [
  ...column('services/search/fixtures/care.tsv', 2),
  ...column('services/search/fixtures/care-lookalikes.tsv', 1),
  ...column('bench/search-answers/development.tsv', 4),
  ...column('bench/search-answers/held-out.tsv', 4),
  ...column('packages/embeddings/evaluation/queries.tsv', 3),
];

/** Returns the texts that are no queries with which search is evaluated, in any spelling. */
function withoutMeasured(texts: readonly string[]): string[] {
  const module = join(repositoryRoot, 'packages/embeddings/model/train/measured-queries.mjs');
  const program = `import { isMeasured } from ${JSON.stringify(module)};
    import { readFileSync } from 'node:fs';
    console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).filter((text) => !isMeasured(text))));`;
  const kept = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    input: JSON.stringify(texts),
    maxBuffer: 16 * 1_024 * 1_024,
    encoding: 'utf8',
  });
  return JSON.parse(kept);
}

test('the training data of the query classifier contains no query with which search or the classifier is evaluated', () => {
  const trained = new Set(column('services/search/query-kinds/query-kinds.tsv', 2));
  expect(measured.length).toBeGreaterThan(500);
  expect(measured.filter((query) => trained.has(query))).toEqual([]);
});

test('the training pairs for the verse vectors leave out every query with which search is evaluated, in any spelling', () => {
  const texts = [
    ...measured,
    ...column('packages/embeddings/evaluation/stories.tsv', 0),
    ...column('packages/embeddings/evaluation/stories.tsv', 1),
    ...[1, 2, 3, 4, 5, 6].flatMap((each) => column('packages/embeddings/evaluation/languages/questions.tsv', each)),
    ...[1, 2, 3, 4].flatMap((each) => column('packages/embeddings/evaluation/held-out-languages/questions.tsv', each)),
    ...column('packages/embeddings/evaluation/facts.tsv', 0),
    'The Prodigal SON',
  ];
  expect(withoutMeasured([...texts, 'aaron: rod of: buds'])).toEqual(['aaron: rod of: buds']);
});

test('the questions that ship with Lectern contain no query with which search is evaluated', () => {
  const questions = readQuestions().map(({ text }) => text);
  expect(questions.length).toBeGreaterThan(7_500);
  expect(withoutMeasured(questions)).toEqual(questions);
});

test('each question that ships with Lectern names verses that exist', () => {
  const last = ({ book, chapter }: Place) => chapterEnds('standard', book)[chapter - 1] ?? 0;
  const missing = readQuestions().flatMap(({ text, passages }) =>
    passages.flatMap((passage) => {
      const [start, end] = [ordinalParts(passage.first), ordinalParts(passage.last)];
      return start && end && passage.first <= passage.last && start.verse <= last(start) && end.verse <= last(end)
        ? []
        : [[text, start, end]];
    }),
  );
  expect(missing).toEqual([]);
});
