import { join } from 'node:path';

export const repositoryRoot = join(__dirname, '..', '..', '..');

/** The repository's own data folder, which `npm test` fills before the tests run. */
export const dataDir = join(repositoryRoot, 'data');

export const corpusFile = join(dataDir, 'corpus.sqlite');
