import { runIndexBuilder } from '@lectern/corpus';
import { buildConcordanceFile } from './build-concordance-index';

// The worker thread of `buildConcordanceIndex`.
runIndexBuilder(buildConcordanceFile);
