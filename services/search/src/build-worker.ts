import { runIndexBuilder } from '@lectern/corpus';
import { buildSearchFile } from './build';

// This file is the entry point of the worker threads in which `buildSearchIndex` builds the files of translations.
runIndexBuilder(buildSearchFile);
