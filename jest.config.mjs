// Jest loads the sources as CommonJS: a test file takes two thirds of the time to load that it takes as modules of `node:vm`. Workspaces resolve to their
// sources by the exports condition "source", so a change needs no build before a unit test. One exception: the build writes packages/sdk/src/generated from
// the contracts. `npm ci` has run it; after a change of the contracts, tests of the SDK and the command line need `npm run build`. Scenarios start
// the programs that are bundled from the sources, into `dist`.

/** Compiles a file for Jest. @param syntax of the file */
const compiled = (syntax) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax },
      target: 'es2023',
      transform: { optimizer: { globals: { vars: { 'import.meta.url': 'require("node:url").pathToFileURL(__filename).href' } } } },
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** Packages that have no CommonJS, or load a part of themselves by `import()`. */
const modulePackages = ['typebox', 'marked', 'qr', '@opentelemetry/otlp-exporter-base', 'mongodb'];

/** What every project shares. */
const shared = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '\\.ts$': compiled('typescript'), '\\.m?js$': compiled('ecmascript') },
  transformIgnorePatterns: [`/node_modules/(?!(${modulePackages.join('|')})/)`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.data/', '<rootDir>/.cache/'],
  watchPathIgnorePatterns: ['/dist/', '/.data/'],
};

/** Suites against real servers; off unless the switch names them. */
const realServers = process.env.TEST_REAL_SERVERS === '1';

/** What is of embedded mode alone: its one process, its data directory, its signals, what npm does with it, the samples of the documentation. `npm run test:faults` kills processes in both. */
const embeddedOnly =
  process.env.PARCELWAY_MODE === 'distributed' ? ['/e2e/src/(process|faults|samples)/', '/e2e/src/scenarios/full-disk'] : [];

/** Every scenario in both modes, every kill and fault: `npm run test:long`. They take hours on two cores. */
const isLong = process.env.TEST_LONG === '1';

/** The examples of the documentation in every language, and the package of the SDK: `npm run check:clients`. */
const ofClients = process.env.TEST_CLIENTS === '1' ? [] : ['/tools/docs/src/(verify-examples|sdk-package)'];

/** Kills, faults and restores in rows, every page of the documentation: each takes a minute and more, and none finds what changes every day. */
const longOnly = [
  '/e2e/src/faults/',
  '/e2e/src/backup/',
  '/e2e/src/erasure/killed-erasure',
  '/e2e/src/scenarios/(retention|volume)',
  '/e2e/src/process/warehouse-example',
  '/e2e/src/samples/docs-samples',
  '/e2e/src/browser/docs/reading',
];

/** The scenarios whose outcome depends on the stores and on the way between the services. The others find nothing in distributed mode that they do not find embedded. */
const distributedScenarios = [...['corrections', 'idempotency', 'isolation', 'journey', 'late-events', 'tracking-sources']];

/** What an e2e run leaves out: see above. */
const leftOut =
  process.env.PARCELWAY_MODE === 'distributed' && !isLong
    ? [`/e2e/src/(?!distributed/|erasure/erasure\\.|scenarios/(${distributedScenarios.join('|')})\\.)`]
    : [];

export default {
  // Many tests wait, for a deadline or a server: three keep two processors busy. A platform of six processes is too much for more than two.
  maxWorkers: process.env.PARCELWAY_MODE === 'distributed' ? 2 : 3,
  testSequencer: '<rootDir>/tools/testing/jest/longest-first.mjs',
  // A worker near its heap's limit spends its time on collecting garbage.
  workerIdleMemoryLimit: '1GB',
  // Tests wait for conditions, never for time; this only keeps a slow machine from being taken for a defect.
  testTimeout: process.env.PARCELWAY_MODE === 'distributed' ? 60_000 : 40_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      setupFiles: ['<rootDir>/tools/testing/jest/typescript-workers.cjs'],
      testMatch: [
        '<rootDir>/packages/**/*.test.ts',
        '<rootDir>/services/**/*.test.ts',
        '<rootDir>/bench/**/*.test.ts',
        '<rootDir>/tools/**/*.test.ts',
      ],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        '/tools/k8s/src/checks/',
        ...(realServers ? [] : ['\\.int\\.test\\.ts$']),
        ...ofClients,
      ],
    },
    {
      ...shared,
      displayName: 'e2e',
      globalSetup: '<rootDir>/tools/testing/jest/bundle.mjs',
      testMatch: ['<rootDir>/e2e/**/*.test.ts'],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        ...embeddedOnly,
        ...leftOut,
        ...(isLong ? [] : longOnly),
        '/e2e/src/browser/',
        '/e2e/src/distributed/',
      ],
    },
    {
      ...shared,
      // Several processes of each service and their topics: in distributed mode, and one suite at a time.
      displayName: 'replicas',
      globalSetup: '<rootDir>/tools/testing/jest/bundle.mjs',
      testMatch: ['<rootDir>/e2e/src/distributed/**/*.test.ts'],
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, ...(isLong ? [] : longOnly)],
    },
    {
      ...shared,
      // On what `npm run check:k8s` has built.
      displayName: 'k8s',
      testMatch: ['<rootDir>/tools/k8s/src/checks/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'browser',
      globalSetup: '<rootDir>/tools/testing/jest/bundle.mjs',
      testMatch: ['<rootDir>/e2e/src/browser/**/*.test.ts'],
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, ...(isLong ? [] : longOnly)],
    },
  ],
};
