// The layers of the code, checked by `npm run layers`. Each rule gives its reason.

import { createRequire } from 'node:module';

// dependency-cruiser calls the parser of swc without saying which files are JSX, so that it would refuse every `.tsx`. It loads the same module.
const swc = createRequire(import.meta.url)('@swc/core');
const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });

/** Workspaces that each package may import. A package that is not named here may import none. */
const packageMayImport = {
  kernel: [],
  telemetry: ['kernel'],
  contracts: ['kernel'],
  sqlite: ['kernel'],
  mongo: ['kernel'],
  store: ['kernel', 'contracts', 'sqlite', 'mongo'],
  blobs: ['kernel', 'contracts'],
  cache: ['kernel', 'contracts', 'sqlite'],
  bus: ['kernel', 'contracts', 'sqlite', 'telemetry'],
  http: ['kernel', 'contracts', 'cache', 'telemetry'],
  platform: ['kernel', 'contracts', 'sqlite', 'mongo', 'store', 'blobs', 'cache', 'bus', 'http', 'telemetry'],
  // Published by itself: what it knows of the contract is written into it.
  sdk: [],
  cli: ['kernel', 'contracts', 'sdk', 'platform'],
  harness: ['kernel', 'contracts'],
  page: [],
  console: ['contracts', 'page'],
  station: ['contracts', 'page'],
  operator: ['contracts', 'page'],
  'docs-site': ['kernel', 'contracts', 'page'],
};

/** Driver library → the only files that may import it. Everything else goes through a port. */
const driverHomes = {
  // The benchmark talks to stores and log without our code around, to have something to measure our code against; fault tests do to break them.
  // The servers of tests are asked whether they respond.
  '@photostructure/sqlite': '^(packages/sqlite/src/|bench/src/processes/|e2e/src/erasure/)',
  kafkajs: '^tools/servers/src/|^packages/(bus|harness)/src/kafka-',
  ioredis: '^tools/servers/src/|^packages/(cache|platform)/src/redis-',
  minio: '^tools/servers/src/|^packages/blobs/src/minio-',
  mongoose:
    '^tools/servers/src/|^e2e/src/(faults|erasure)/|^(packages/(mongo|platform)/src/|packages/store/src/mongo/|services/[^/]+/src/(?:[^/]+/|)(adapters|testing)/)(testing/)?mongo-',
};

/** Workspaces below tools/ that each of them may import. A tool that is not named here may import none. */
const toolMayImport = {
  containers: ['servers'],
  testing: ['servers', 'containers'],
  observability: ['servers'],
  k8s: ['servers', 'testing', 'observability'],
  docs: ['contracts', 'observability'],
};

const TEST = '\\.(test|conformance)\\.ts$|/testing/';
// A service has one set of layers, or one for each of its parts, such as services/gateway/src/proxy.
const PART = '(?:[^/]+/|)';
const DOMAIN = `^services/([^/]+)/src/${PART}domain(\\.ts$|/)`;
const PORTS = `^services/([^/]+)/src/${PART}ports\\.ts$`;
/** Adapters of a service. In tracking, `sources` has the adapters of the vendors. */
const ADAPTERS = `^services/([^/]+)/src/(?:${PART}adapters/|sources/)`;
const EDGE = '^services/([^/]+)/src/(service|main)\\.ts$';
const USE_CASES = `^services/([^/]+)/src/(?!${PART}(domain(\\.ts$|/)|ports\\.ts$|adapters/)|sources/|(service|main)\\.ts$)`;
/** Domain and ports of the service that the rule matched, of all its parts: which part may see which is a rule of its own. */
const OWN_DOMAIN = `^services/$1/src/${PART}domain(\\.ts$|/)`;
const OWN_PORTS = `^services/$1/src/${PART}ports\\.ts$`;
const OURS = '^(packages|services|tools|demo|e2e|bench)/';
/** Service → its parts, and the other parts that each may import. */
const partsMayImport = {
  // The other parts learn from the proxy who calls. `adapters` has the store that several parts share. service.ts connects them.
  gateway: {
    proxy: [],
    activity: ['proxy'],
    tenants: ['proxy'],
    keys: ['proxy', 'activity', 'tenants'],
    operators: ['proxy', 'activity', 'tenants', 'keys'],
    adapters: ['proxy', 'activity', 'tenants', 'keys', 'operators'],
    sandbox: ['proxy'],
    site: ['proxy'],
  },
  // `expected` copies the forecasts; `reports` matches them; `unclaimed` reads both.
  'warehouse-intake': {
    expected: [],
    reports: ['expected'],
    unclaimed: ['expected', 'reports'],
    erasure: ['expected', 'reports'],
  },
  // Uploads and rendered documents are contents; the retention says which forecasts have them, and ends them.
  file: {
    contents: ['uploads/domain'],
    storage: ['contents'],
    retention: ['contents'],
    uploads: ['contents', 'retention'],
    documents: ['contents', 'retention'],
    erasure: ['contents', 'retention'],
  },
  // All features use the store, and respond with the representations of `lists`. Facts correct forecasts as submissions do. Imports submit each row.
  forecast: {
    store: [],
    lists: ['store'],
    submission: ['store', 'lists'],
    facts: ['store', 'lists', 'submission'],
    imports: ['store', 'submission'],
    retention: ['store', 'lists', 'submission'],
    erasure: ['store', 'imports', 'retention'],
  },
  // The stages of a webhook, in order; the feed and the retention are separate.
  webhook: {
    endpoints: [],
    intake: ['endpoints'],
    queue: ['endpoints', 'intake'],
    dispatch: ['endpoints', 'intake', 'queue'],
    feed: ['endpoints', 'intake'],
    retention: ['endpoints', 'intake', 'queue'],
    erasure: ['endpoints', 'intake'],
  },
  // All three parts use the nodes and shipments of the watched parcels.
  tracking: {
    sources: ['watch/domain'],
    accounts: ['sources', 'watch/domain'],
    watch: ['sources', 'accounts'],
    erasure: ['accounts', 'watch'],
  },
};

const partRules = Object.entries(partsMayImport).flatMap(([service, parts]) =>
  Object.entries(parts).map(([part, allowed]) => ({
    name: `${service}-${part}`,
    comment: `services/${service}/src/${part} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other part'}: the parts of a service build on each other in one direction, and service.ts composes them.`,
    severity: 'error',
    from: { path: `^services/${service}/src/${part}/`, pathNot: TEST },
    to: {
      path: `^services/${service}/src/(${Object.keys(parts)
        .filter((other) => other !== part && !allowed.includes(other))
        .join('|')})/`,
      pathNot: `^services/${service}/src/(${[part, ...allowed].join('|')})/`,
    },
  })),
);

/** The ports of the packages: types, whatever driver implements them. */
const PORTABLE = '^packages/(blobs/src/blobs|bus/src/bus|cache/src/rate-limiter)\\.ts$';
const NPM = 'node_modules/';

const packageRules = Object.entries(packageMayImport).map(([name, allowed]) => ({
  name: `package-${name}`,
  comment: `packages/${name} may import ${allowed.length > 0 ? allowed.join(', ') : 'nothing of ours'}: packages build on each other in one direction.`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: { path: OURS, pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
}));

const toolRules = [
  ...Object.entries(toolMayImport).map(([name, allowed]) => ({
    name: `tool-${name}`,
    comment: `tools/${name} may import ${allowed.join(', ')} and no other tool: tools build on each other in one direction.`,
    severity: 'error',
    from: { path: `^tools/${name}/` },
    to: { path: '^tools/', pathNot: `^tools/(${[name, ...allowed].join('|')})/` },
  })),
  {
    name: 'tools-apart',
    comment: 'A tool that other tools do not need stands by itself; what it may import is listed in toolMayImport.',
    severity: 'error',
    from: { path: '^tools/([^/]+)/', pathNot: `^tools/(${Object.keys(toolMayImport).join('|')})/` },
    to: { path: '^tools/', pathNot: '^tools/$1/' },
  },
];

const driverRules = Object.entries(driverHomes).map(([library, home]) => ({
  name: `driver-${library.replace(/^@/, '').replace('/', '-')}`,
  comment: `${library} stays behind its driver, so that it can be replaced in one place and is loaded only when used.`,
  severity: 'error',
  from: { pathNot: home },
  to: { path: `${NPM}${library}/` },
}));

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Modules that import each other cannot be understood or replaced one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'An import that cannot be resolved would slip past every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'packages-below-services',
      comment: 'Packages serve the services and know none of them.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|demo|e2e|bench)/' },
    },
    ...packageRules,
    {
      name: 'nothing-imports-tools',
      comment:
        'Tools build, test and describe the product. The product and its scenarios run without them; who needs a tool starts it as a program.',
      severity: 'error',
      from: { pathNot: '^tools/' },
      to: { path: '^tools/' },
    },
    ...toolRules,
    {
      name: 'tools-read-services-in-tests',
      comment:
        'Tests of tools compare documents and manifests with the services. What a tool runs takes packages, and what a service exports.',
      severity: 'error',
      from: { path: '^tools/', pathNot: [TEST, '^tools/k8s/src/checks/'] },
      to: { path: '^services/', dependencyTypes: ['local'] },
    },
    {
      name: 'services-apart',
      comment: 'Services meet only in contracts, over HTTP and events.',
      severity: 'error',
      from: { path: '^services/(?!all-in-one/)([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'all-in-one-lists-services',
      comment: 'The single process takes each service whole, by its definition.',
      severity: 'error',
      from: { path: '^services/all-in-one/' },
      to: { path: '^services/(?!all-in-one/)', pathNot: '^services/[^/]+/src/service\\.ts$' },
    },
    {
      name: 'domain-is-pure',
      comment:
        'Decisions depend on contracts and the kernel alone. Pure all the same: hashes (crypto), isIP (net), address arithmetic (ipaddr.js).',
      severity: 'error',
      from: { path: DOMAIN, pathNot: TEST },
      to: {
        path: '.',
        pathNot: [OWN_DOMAIN, '^packages/(kernel|contracts)/', '^(crypto|net)$', `${NPM}(ipaddr\\.js|typebox)/`],
      },
    },
    {
      name: 'ports-are-interfaces',
      comment: 'Ports speak in terms of the domain, contracts, the kernel and streams, whatever implements them.',
      severity: 'error',
      from: { path: PORTS },
      to: { path: '.', pathNot: [OWN_DOMAIN, OWN_PORTS, '^packages/(kernel|contracts)/', '^stream$', PORTABLE] },
    },
    {
      name: 'use-cases-behind-ports',
      comment:
        'Use cases reach the world through ports, their own or the portable ones of the packages; the composition root hands them the adapters.',
      severity: 'error',
      from: { path: USE_CASES, pathNot: [TEST, '^services/all-in-one/'] },
      to: {
        path: [ADAPTERS, EDGE, '^packages/(sqlite|mongo|http|blobs|cache|bus)/', `${NPM}(express|undici|pino|opossum|@fastify/busboy)/`],
        pathNot: PORTABLE,
      },
    },
    {
      name: 'adapters-below-the-root',
      comment: 'Adapters are handed to the composition root, never the other way round.',
      severity: 'error',
      from: { path: ADAPTERS, pathNot: TEST },
      to: { path: EDGE },
    },
    {
      name: 'scenarios-from-outside',
      comment: 'End-to-end scenarios and the demo see the product as a customer does.',
      severity: 'error',
      from: { path: '^(e2e|demo)/' },
      to: { path: '^(services|bench)/|^packages/(?!kernel/|contracts/|harness/|sdk/)' },
    },
    {
      name: 'nothing-builds-on-the-edge',
      comment: 'Demo, scenarios and benchmarks are ends, not foundations.',
      severity: 'error',
      from: { pathNot: '^(demo|e2e|bench)/' },
      to: { path: '^(demo|e2e|bench)/' },
    },
    {
      name: 'no-test-code-in-products',
      comment: 'What ships does not lean on a test. The harness ships with nothing: it drives tests.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: `${TEST}|^packages/harness/` },
      to: { path: TEST },
    },
    {
      name: 'ships-with-its-dependencies',
      comment: 'An installation for production has no dependencies of development. Of the pages it has what Vite has built.',
      severity: 'error',
      from: { path: '^(packages|services)/(?!page/|console/|station/|operator/|docs-site/|harness/)', pathNot: TEST },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    ...partRules,
    {
      name: 'gateway-sockets-in-the-proxy',
      comment:
        'Connections, their limits and forwarding are one concern: the other parts of the gateway respond to requests that the proxy has admitted.',
      severity: 'error',
      from: { path: '^services/gateway/src/(?!proxy/)[^/]+/', pathNot: TEST },
      to: { path: ['^(net|tls|https?|http2|dgram)$', `${NPM}undici/`] },
    },
    ...driverRules,
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Programs of clients are compiled in a folder of their own, with their own dependencies, by `npm run check:clients`.
    exclude: { path: '(^|/)dist/|^tools/testing/clients/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
    skipAnalysisNotInRules: true,
  },
};
