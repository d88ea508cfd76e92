import { runIndexBuilder } from '@lectern/corpus';
import { buildConcordanceFile } from './build';

// The worker thread in which `buildConcordanceIndex` builds the files of translations.
runIndexBuilder(buildConcordanceFile);
