/** Only this file may import these: docs/decisions/0006-graphql-js-internals.md. internals.test.ts notices changes. */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields';
export { getFieldDef } from 'graphql/execution/execute';
