export { runExportCommand } from './alignment/export';
export { originalTranslations } from './build/as-translations';
export { type BuildOriginalsOptions, buildOriginals, isOriginalsUpToDate } from './build/build';
export { settings } from './config';
export { createOriginalsSubgraph, type OriginalsOptions } from './subgraph';
export { originalsFile } from './tables';
