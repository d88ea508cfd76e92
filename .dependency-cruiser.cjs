// The rules for imports between packages. docs/architecture.md describes the packages and the gateway's stages.
const own = '^(packages|services|gateway)';

/** The stages of a request in the gateway, in their order. A stage imports only stages that come later in this list. */
const stages = ['http', 'admission', 'documents', 'validation', 'cache', 'execution', 'transport', 'supergraph'];

const stageRules = stages.slice(1).map((stage, index) => ({
  name: `gateway-stage-${stage}`,
  severity: 'error',
  comment: `The stage ${stage} imports only stages that come later: ${stages.join(', ')}.`,
  from: { path: `^gateway/src/${stage}/` },
  to: { path: `^gateway/src/(${stages.slice(0, index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...stageRules,
    {
      name: 'gateway-root-composes-stages',
      severity: 'error',
      comment:
        'Only gateway.ts, graph.ts, startup/, commands/ and the entry points join the stages. A stage imports none of these files.',
      from: { path: '^gateway/src/[a-z]+/', pathNot: ['^gateway/src/(startup|commands)/', '\\.test\\.ts$'] },
      to: { path: '^gateway/src/(gateway|graph|main|start|index|config)\\.ts$' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'In a cycle of imports, no file can be understood without the others.',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'services-are-independent',
      severity: 'error',
      comment: 'A team deploys its subgraph without the other services and without the gateway.',
      from: { path: '^services/([^/]+)/' },
      to: { path: ['^services/(?!$1/)', '^gateway/', '^packages/standalone/'] },
    },
    {
      name: 'gateway-imports-no-service',
      severity: 'error',
      comment: 'The gateway reaches a service by its URL, never by its code.',
      from: { path: '^gateway/' },
      to: { path: ['^services/', '^packages/standalone/'] },
    },
    {
      name: 'packages-import-no-service',
      severity: 'error',
      comment: 'Only packages/standalone joins services and gateway.',
      from: { path: '^packages/(?!standalone/)' },
      to: { path: ['^services/', '^gateway/', '^packages/standalone/'] },
    },
    {
      name: 'public-entries',
      severity: 'error',
      comment: 'A package is imported through its public entry, index.ts.',
      from: { path: `${own}/([^/]+)/` },
      to: {
        path: `${own}/[^/]+/(src|dist)/`,
        pathNot: [
          `${own}/[^/]+/dist/((esm|cjs)/)?index\\.(js|d\\.ts)$`,
          '^$1/$2/',
          '^gateway/dist/index\\.(js|d\\.ts)$',
        ],
      },
    },
    {
      name: 'client-imports-nothing',
      severity: 'error',
      comment: 'Apps install packages/client alone, in browsers too.',
      from: { path: '^packages/client/src/' },
      to: { pathNot: '^packages/client/src/' },
    },
    {
      name: 'examples-import-published-packages',
      severity: 'error',
      comment: 'Apps copy an example, so it uses only packages that an app can install.',
      from: { path: '^examples/' },
      to: { path: own, pathNot: '^packages/(client|verse-layout)/' },
    },
    {
      name: 'canon-is-pure',
      severity: 'error',
      comment:
        'canon only reads its tables of names, number words, sayings and numberings. The reference parser is its only other import.',
      from: {
        path: '^packages/canon/src/',
        pathNot: [
          '\\.test\\.ts$',
          '^packages/canon/src/(book-names|named-passages|sayings|numbering|reference-words)\\.ts$',
        ],
      },
      to: { pathNot: ['^packages/canon/src/', 'node_modules/bible-passage-reference-parser/'] },
    },
    {
      name: 'execution-imports-graphql-only',
      severity: 'error',
      comment: 'Subgraphs and the gateway build on execution, so execution imports neither.',
      from: { path: '^packages/execution/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/execution/src/', 'node_modules/(graphql|lru-cache)/'] },
    },
    {
      name: 'one-file-imports-graphql-internals',
      severity: 'error',
      comment: 'Only one file imports the internals of graphql-js: docs/decisions/0006-graphql-js-internals.md.',
      from: { path: own, pathNot: '^packages/execution/src/internals\\.ts$' },
      to: { path: 'node_modules/graphql/(execution|jsutils|language|type|utilities|validation)/(?!index\\.)' },
    },
    {
      name: 'stores-import-no-graphql',
      severity: 'error',
      from: { path: '/store\\.ts$' },
      to: { path: 'node_modules/(graphql|@apollo)/' },
    },
    {
      name: 'resolvers-do-no-io',
      severity: 'error',
      from: { path: '/resolvers\\.ts$' },
      to: { path: ['better-sqlite3', 'undici'], dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'one-file-imports-apollo-gateway',
      severity: 'error',
      from: {
        path: '^(gateway|services|packages)/',
        pathNot: '^gateway/src/execution/apollo-gateway\\.ts$',
      },
      to: { path: 'node_modules/@apollo/gateway/' },
    },
    {
      name: 'no-test-helpers-in-product-code',
      severity: 'error',
      comment: 'Product code does not import packages/testing.',
      from: { path: own, pathNot: ['\\.test\\.ts$', '/test-support/', '^packages/testing/'] },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'imports-are-declared',
      severity: 'error',
      comment: 'A package declares in its own package.json what it imports.',
      from: { path: own, pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/dist/'] },
    // dependency-cruiser cannot read JSX with swc's parser. The linter checks the imports of .tsx files.
    exclude: { path: ['\\.cjs$', '\\.tsx$', '^data/', '^packages/site/browser/'] },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
