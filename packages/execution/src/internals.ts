/**
 * These modules are not public in graphql-js and may change in any release, which internals.test.ts would notice. Only
 * this file imports them, as docs/decisions/0006-graphql-js-internals.md explains.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields';
export { getFieldDef } from 'graphql/execution/execute';
