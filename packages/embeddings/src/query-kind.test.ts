import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import { createClassifyQuery } from './index';

/** Returns a column of a tab-separated file, in small letters. */
const column = (file: string, index: number): string[] =>
  readFileSync(join(repositoryRoot, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[index]?.toLowerCase() ?? '');

test('createClassifyQuery takes all queries of another embedding model for related, and none for distress', () => {
  const classify = createClassifyQuery('another model');
  expect(classify(new Float32Array(384).fill(1), 0)).toEqual({ isRelated: true, distress: null });
});

test('the training file of the query classifier contains no query that measures search or the classifier', () => {
  const trained = new Set(column('packages/embeddings/model/train/query-kinds.tsv', 2));
  const measured = [
    ...column('services/search/fixtures/care.tsv', 2),
    ...column('services/search/fixtures/care-lookalikes.tsv', 1),
    ...column('bench/answers/development.tsv', 4),
    ...column('bench/answers/held-out.tsv', 4),
    ...column('packages/embeddings/evaluation/queries.tsv', 3),
  ];
  expect(measured.length).toBeGreaterThan(500);
  expect(measured.filter((query) => trained.has(query))).toEqual([]);
});
