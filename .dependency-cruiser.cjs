// Who may import whom. The rooms and their reasons: docs/architecture.md.
const own = '^(packages|services|gateway)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', comment: 'A circle has no bottom to start reading at.', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'services-stand-alone', severity: 'error', comment: 'A team deploys its subgraph without the others.', from: { path: '^services/([^/]+)/' }, to: { path: ['^services/(?!$1/)', '^gateway/', '^packages/standalone/'] } },
    { name: 'gateway-knows-urls', severity: 'error', comment: 'The gateway reaches a service over its URL, never by its code.', from: { path: '^gateway/' }, to: { path: ['^services/', '^packages/standalone/'] } },
    { name: 'packages-stand-below', severity: 'error', from: { path: '^packages/(?!standalone/)' }, to: { path: ['^services/', '^gateway/', '^packages/standalone/'] } },
    { name: 'front-doors', severity: 'error', comment: 'A room is used through its index.', from: { path: `${own}/([^/]+)/` },
      to: { path: `${own}/[^/]+/(src|dist)/`, pathNot: [`${own}/[^/]+/dist/index\\.(js|d\\.ts)$`, '^$1/$2/', '^gateway/dist/index\\.(js|d\\.ts)$'] } },
    { name: 'canon-is-pure', severity: 'error', comment: 'Canon does no input or output: the reference parser is all it imports.', from: { path: '^packages/canon/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/canon/src/', 'node_modules/bible-passage-reference-parser/'] } },
    { name: 'execution-knows-graphql-alone', severity: 'error', comment: 'Subgraphs and the gateway are built on it: it knows neither.', from: { path: '^packages/execution/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/execution/src/', 'node_modules/(graphql|lru-cache)/'] } },
    { name: 'stores-know-no-graphql', severity: 'error', from: { path: '/store\\.ts$' }, to: { path: 'node_modules/(graphql|@apollo)/' } },
    { name: 'resolvers-do-no-io', severity: 'error', from: { path: '/resolvers\\.ts$' }, to: { path: ['better-sqlite3', 'undici'], dependencyTypes: ['core', 'npm'] } },
    { name: 'one-file-knows-the-engine', severity: 'error', from: { path: '^(gateway|services|packages)/', pathNot: '^gateway/src/engine/engine\\.ts$' }, to: { path: 'node_modules/@apollo/gateway/' } },
    { name: 'tests-apart', severity: 'error', comment: 'Product code does not lean on what is for tests.', from: { path: own, pathNot: ['\\.test\\.ts$', '^packages/testing/'] }, to: { path: '^packages/testing/' } },
    { name: 'declared', severity: 'error', comment: 'What a room imports stands in its own package.json.', from: { path: own, pathNot: '\\.test\\.ts$' }, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['\\.cjs$', '^data/', '^packages/explorer/browser/'] },
    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'], extensions: ['.ts', '.js', '.cjs', '.json', '.d.ts'] },
  },
};
