/**
 * These modules are not part of the public API of graphql-js, and may change in any release. Only this file imports
 * such modules. docs/decisions/0006-graphql-js-internals.md gives the reasons. internals.test.ts fails if the behaviour
 * of these modules changes.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields';
export { getFieldDef } from 'graphql/execution/execute';
