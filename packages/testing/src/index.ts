export { createAsk, graphqlHeaders } from './ask';
export type { Ask, GraphqlAnswer } from './ask';
export { corpusFile, dataDir, repositoryRoot, withFolder } from './fixtures';
export { send } from './send';
export type { Received } from './send';
export { freePort, spawnRoom, startRoom } from './processes';
export type { Started } from './processes';
export { fieldsWithoutExample, readExamples, undescribed, withTranslations } from './examples';
