import { runIndexBuilder } from '@lectern/corpus';
import { buildSearchFile } from './build-search-index';

// The worker thread of `buildSearchIndex`.
runIndexBuilder(buildSearchFile);
