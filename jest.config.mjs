// Jest in ESM; run it with NODE_OPTIONS=--experimental-vm-modules. Workspaces resolve to their sources by the
// exports condition "source", so no build is needed to run a unit test.

/** What every project shares. */
const shared = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.data/', '<rootDir>/.cache/'],
  watchPathIgnorePatterns: ['/dist/', '/.data/'],
};

/** Suites against real servers; off unless the switch names them. */
const realServers = process.env.TEST_REAL_SERVERS === '1';

/** What is of embedded mode alone: its one process, its data directory, its signals, what npm does with it, the samples of the documentation. `npm run test:faults` kills processes in both. */
const embeddedOnly =
  process.env.PARCELWAY_MODE === 'distributed' ? ['/e2e/src/(process|kill|samples)/', '/e2e/src/faults/source-kills'] : [];

/**
 * Faults, kills, erasures, backups, samples and the fuzzing take minutes, and the tools run where the repository is; rules, contracts and pages use nothing of Node.js: further versions
 * leave them to the one that `npm test` runs on.
 */
const productOnly =
  process.env.TEST_PRODUCT_ONLY === '1'
    ? [
        '/e2e/src/(faults|kill|erasure|backup|samples|scenarios/fuzz)',
        '<rootDir>/tools/',
        '<rootDir>/bench/',
        '/domain/',
        '<rootDir>/packages/(contracts|console|docs-site|operator|page|station)/',
      ]
    : [];

export default {
  maxWorkers: 2,
  testSequencer: '<rootDir>/tools/testing/jest/longest-first.mjs',
  // Modules of test files stay in a worker's memory (Node.js keeps those that vm loaded). A worker near its heap's limit spends its time on collecting garbage.
  workerIdleMemoryLimit: '1GB',
  // Tests wait for conditions, never for time; this only keeps a slow machine from being taken for a defect.
  testTimeout: process.env.PARCELWAY_MODE === 'distributed' ? 60_000 : 40_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      setupFiles: ['<rootDir>/tools/testing/jest/typescript-workers.mjs'],
      testMatch: [
        '<rootDir>/packages/**/*.test.ts',
        '<rootDir>/services/**/*.test.ts',
        '<rootDir>/bench/**/*.test.ts',
        '<rootDir>/tools/**/*.test.ts',
      ],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        ...productOnly,
        '/tools/k8s/src/checks/',
        ...(realServers ? [] : ['\\.int\\.test\\.ts$']),
      ],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/e2e/**/*.test.ts'],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        ...embeddedOnly,
        ...productOnly,
        '/e2e/src/browser/',
        '/e2e/src/distributed/',
      ],
    },
    {
      ...shared,
      // Several processes of each service and their topics: in distributed mode, and one suite at a time.
      displayName: 'replicas',
      testMatch: ['<rootDir>/e2e/src/distributed/**/*.test.ts'],
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
      testMatch: ['<rootDir>/e2e/src/browser/**/*.test.ts'],
      testPathIgnorePatterns:
        process.env.UPDATE_SCREENSHOTS === '1'
          ? shared.testPathIgnorePatterns
          : [...shared.testPathIgnorePatterns, '/screenshots\\.test\\.ts$'],
    },
  ],
};
