/**
 * These are the only imports of modules that are not part of the public API of graphql-js. Such
 * modules may change in any release. docs/decisions/0006-graphql-js-internals.md says why Lectern
 * uses them. internals.test.ts fails if the behaviour of these modules changes.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields';
export { getFieldDef } from 'graphql/execution/execute';
