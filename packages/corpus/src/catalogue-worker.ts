import { importItems } from './catalogue';

// The worker thread in which `importCatalogue` imports translations.
importItems();
