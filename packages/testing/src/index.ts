export {
  elementsWithoutDescription,
  fieldsWithoutExample,
  readExamples,
} from './example-and-description-coverage';
export { findProgram } from './find-program';
export type { GraphqlClient, GraphqlResponse } from './graphql-client';
export { createGraphqlClient, graphqlHeaders } from './graphql-client';
export { metricValue } from './metric-value';
export type { StartedProcess } from './processes';
export { freePort, spawnProcess, startProcess, waitForPort } from './processes';
export type { RandomChoices } from './random-choices';
export { createRandomChoices } from './random-choices';
export { runToEnd } from './run-generator-to-end';
export { createRandom, isLongRun, itemsOfThisRun, testSeed } from './seeded-random-and-test-seed';
export type { HttpResponse } from './send-http-request';
export { send, sendReady } from './send-http-request';
export type { RunningPostgres } from './start-postgres';
export { findPostgres, startPostgres } from './start-postgres';
export type { RunningProgram } from './start-redis';
export { startRedis } from './start-redis';
export { createSubgraphQueries, idOf } from './subgraph-queries';
export { dataDir, linkData, linkTexts, replaceFile, repositoryRoot, withFolder } from './temporary-and-data-folders';
export { translationWithLemmas } from './translation-with-lemmas';
export { useStarted } from './use-started';
export { maxDelayMs } from './worst-case/delay-limit-calibration';
export type { KnownOperation } from './worst-case/known-slow-operations';
export { knownEntityRequests, knownOperations } from './worst-case/known-slow-operations';
export { generateTexts, textsWithNonlinearTime } from './worst-case/nonlinear-time';
export type { MeasuredOperation, OperationMeter } from './worst-case/operation-event-loop-delay';
export { createOperationMeter, maxClientRequest, maxSubgraphRequest } from './worst-case/operation-event-loop-delay';
export type { MeasuredProcess } from './worst-case/process-with-event-loop-meter';
export { startMeasuredProcess } from './worst-case/process-with-event-loop-meter';
export type { FoundOperation, WorstOperations } from './worst-case/search-worst-operations';
export { searchWorstOperations } from './worst-case/search-worst-operations';
export { describeOperation } from './worst-case/shorten-operation-for-message';
