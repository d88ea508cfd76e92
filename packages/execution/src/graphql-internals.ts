/**
 * These are the only imports of modules that graphql-js does not export from its entry point. Such
 * modules may change in any release. docs/decisions/0006-graphql-js-internals.md says why we use
 * them. graphql-internals.test.ts fails if these modules change.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields';
export { getFieldDef } from 'graphql/execution/execute';
