export type { RunningProgram } from './external-programs';
export { findProgram, startRedis, waitForPort } from './external-programs';
export type { GraphqlClient, GraphqlResponse } from './graphql-client';
export { createGraphqlClient, graphqlHeaders } from './graphql-client';
export { metricValue } from './metric-value';
export type { RunningPostgres } from './postgres';
export { findPostgres, startPostgres } from './postgres';
export type { StartedProcess } from './processes';
export { freePort, spawnProcess, startProcess } from './processes';
export { runToEnd } from './run-to-end';
export {
  elementsWithoutDescription,
  fieldsWithoutExample,
  readExamples,
  withTranslationField,
} from './schema-examples';
export { createRandom } from './seeded-random';
export type { HttpResponse } from './send-http-request';
export { send } from './send-http-request';
export { corpusFile, dataDir, linkData, repositoryRoot, withFolder } from './test-folders';
