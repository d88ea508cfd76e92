import { runIndexBuilder } from '@lectern/corpus';
import { buildConcordanceFile } from './build';

// This file is the entry point of the worker threads in which `buildConcordanceIndex` builds the files of translations.
runIndexBuilder(buildConcordanceFile);
