import { runIndexBuilder } from '@lectern/corpus';
import { buildConcordanceFile } from './build-concordance-index';

// The worker thread in which `buildConcordanceIndex` builds the files of translations.
runIndexBuilder(buildConcordanceFile);
