export type { OperationInfo } from '@lectern/execution';
export type { Hint, WorkBudget, WorkContext, WorkScheduler } from '@lectern/serving';
export { createHintList, createWorkScheduler } from '@lectern/serving';
export { type Execute, executeInProcess, type SubgraphRequest, type SubgraphResponse } from './execute';
export { clampFirst, connectionResolvers, type Page, type PageArguments, readPage } from './pages';
export { createItemValueBudget, createValueBudget, createVerseBudget } from './request-budgets';
export {
  createMeasuredTranslationFileCache,
  observeUnavailableTranslations,
  runSubgraph,
  serveSubgraph,
} from './serve';
export { subgraphSettings, workSettings } from './settings';
export { createSubgraph, type Subgraph, type SubgraphView, unavailableParts } from './subgraph';
export { createPerTranslationLoader } from './translation-loader';
