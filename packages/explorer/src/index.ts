export { readExplorerAssets } from './explorer-assets';
export type { ExplorerAssets, ExplorerFile } from './explorer-assets';
