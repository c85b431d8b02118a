/**
 * The import rules of docs/ARCHITECTURE.md: each layer of the service may use the layers to its left.
 *   scoring → domain → kit → outbox → ledger → features → pages → shape → start → commands → demo
 */
const SRC = 'packages/service/src';
const layer = (name) => `^${SRC}/${name}`;
/** The AI's code: the client in the kit and the feature's one use of it. checkImports.mjs sees to it that it is there. */
const ai = [`${layer('kit')}/ai[A-Za-z]*\\.ts$`, `${layer('features')}/insight/trust/narrate\\.ts$`];
const scoreAndLedger = ['^packages/scoring/', `${layer('ledger')}/`];
const database = [`${layer('kit/db')}/`, 'node_modules/(pg|@electric-sql)/'];
const layers = [
  'domain',
  'kit',
  'outbox',
  'ledger',
  'features',
  'pages',
  'shape',
  'start',
  'commands',
  'demo',
];
const right = Object.fromEntries(layers.slice(0, -1).map((name, index) => [name, layers.slice(index + 1)]));

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'scoring-is-pure',
      comment: 'the formula depends on nothing, not even on Node',
      severity: 'error',
      from: { path: '^packages/scoring/src' },
      to: { pathNot: '^packages/scoring/src' },
    },
    {
      name: 'proof-needs-scoring-alone',
      comment: 'a verifier runs offline, in Node and in browsers',
      severity: 'error',
      from: { path: '^packages/proof/src' },
      to: { pathNot: '^packages/(proof|scoring)/src' },
    },
    {
      name: 'client-stands-alone',
      comment: 'it is installed without the service',
      severity: 'error',
      from: { path: '^packages/client/src' },
      to: { path: '^packages/(?!client/)' },
    },
    {
      name: 'console-is-a-client',
      comment: 'it runs in a browser: of the client it takes types and what needs no connection',
      severity: 'error',
      from: { path: '^packages/console/src' },
      to: {
        path: '^packages/(service|client)/',
        pathNot: '^packages/client/src/(index|csvFile|webhooks)\\.ts$',
      },
    },
    {
      name: 'kit-of-the-console-knows-no-view',
      severity: 'error',
      from: { path: '^packages/console/src/kit/' },
      to: { path: '^packages/console/src/', pathNot: '^packages/console/src/kit/' },
    },
    {
      name: 'views-never-import-one-another',
      severity: 'error',
      from: { path: '^packages/console/src/views/([^/]+)/' },
      to: { path: '^packages/console/src/views/[^/]+/', pathNot: '^packages/console/src/views/$1/' },
    },
    {
      name: 'nothing-needs-the-command-line',
      severity: 'error',
      from: { path: '^packages/(?!cli/)[^/]+/src' },
      to: { path: '^packages/cli/' },
    },
    ...Object.entries(right).map(([from, to]) => ({
      name: `${from}-looks-left`,
      severity: 'error',
      // serviceDeps.ts names the type of the whole configuration; each feature takes the parts it needs.
      from: { path: `${layer(from)}/`, pathNot: `${layer('features')}/serviceDeps\\.ts$` },
      to: { path: to.map((name) => `${layer(name)}/`) },
    })),
    {
      name: 'kit-knows-no-domain',
      comment:
        'but the error catalogue, the shape of its details, how a URL is read, and what is seen of JSON before it is parsed',
      severity: 'error',
      from: { path: `${layer('kit')}/` },
      to: {
        path: `${layer('domain')}/`,
        pathNot: `${layer('domain')}/(errors|errorCatalog|validationDetails|parsedUrl|exactInteger|jsonScan|misspelt)\\.ts$`,
      },
    },
    {
      name: 'rooms-are-apart',
      comment: 'features of one room may share; what two rooms need moves to ledger or domain',
      severity: 'error',
      from: { path: `${layer('features')}/([^/]+)/` },
      to: { path: `${layer('features')}/`, pathNot: `${layer('features')}/($1/|serviceDeps\\.ts$)` },
    },
    {
      name: 'database-through-the-kit',
      severity: 'error',
      from: { pathNot: [`${layer('kit/db')}/`, `${layer('shape/embedded')}/`] },
      to: { path: 'node_modules/(pg|@electric-sql)/' },
    },
    {
      name: 'no-ai-in-the-score',
      comment: 'nothing that writes events or computes a score reaches AI or network code, by whatever way',
      severity: 'error',
      from: { path: [...scoreAndLedger, `${layer('domain')}/`] },
      to: { path: [...ai, `${layer('kit')}/outbound`], reachable: true },
    },
    {
      name: 'ai-reaches-no-record',
      comment: 'nor does AI code reach the ledger, the formula or the database, by whatever way',
      severity: 'error',
      from: { path: ai },
      to: { path: [...scoreAndLedger, ...database], reachable: true },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
