import { runIndexBuilder } from '@lectern/corpus';
import { buildSearchFile } from './build';

// The worker thread in which `buildSearchIndex` builds the files of translations.
runIndexBuilder(buildSearchFile);
