export { runUnalignedCommand } from './alignment/unaligned';
export { type BuildOriginalsOptions, buildOriginals, isOriginalsUpToDate } from './build/build';
export { originalTranslations } from './build/translations';
export { settings } from './config';
export { createOriginalsSubgraph, type OriginalsOptions } from './subgraph';
export { originalsFile } from './tables';
