import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A rule of the layering, the file that breaks it, and the import by which it does. */
type Planted = readonly [rule: string, file: string, imported: string];

const planted: readonly Planted[] = [
  ['package-kernel', 'packages/kernel/src/bad.ts', '@parcelway/contracts/topics'],
  ['package-contracts', 'packages/contracts/src/bad.ts', '@parcelway/sqlite/database'],
  ['package-sqlite', 'packages/sqlite/src/bad.ts', '@parcelway/contracts/topics'],
  ['package-mongo', 'packages/mongo/src/bad.ts', '@parcelway/contracts/topics'],
  ['package-blobs', 'packages/blobs/src/bad.ts', '@parcelway/sqlite/database'],
  ['package-cache', 'packages/cache/src/bad.ts', '../../http/src/app.ts'],
  ['package-bus', 'packages/bus/src/bad.ts', '../../http/src/app.ts'],
  ['package-telemetry', 'packages/telemetry/src/bad.ts', '@parcelway/contracts/topics'],
  ['package-http', 'packages/http/src/bad.ts', '@parcelway/sqlite/database'],
  ['package-platform', 'packages/platform/src/bad.ts', '../../cli/src/cli.ts'],
  ['package-sdk', 'packages/sdk/src/bad.ts', '@parcelway/contracts/topics'],
  ['package-cli', 'packages/cli/src/bad.ts', '@parcelway/sqlite/database'],
  ['package-page', 'packages/page/src/bad.ts', '@parcelway/contracts/topics'],
  ['package-console', 'packages/console/src/bad.ts', '@parcelway/sqlite/database'],
  ['package-operator', 'packages/operator/src/bad.ts', '@parcelway/sqlite/database'],
  ['package-station', 'packages/station/src/bad.ts', '@parcelway/sqlite/database'],
  ['package-docs-site', 'packages/docs-site/src/bad.ts', '@parcelway/sqlite/database'],
  ['package-harness', 'packages/harness/src/bad.ts', '@parcelway/sqlite/database'],
  ['packages-below-services', 'packages/platform/src/lists-services.ts', '../../../services/alpha/src/service.ts'],
  ['services-apart', 'services/alpha/src/adapters/bad.ts', '../../../beta/src/domain.ts'],
  ['all-in-one-lists-services', 'services/all-in-one/src/bad.ts', '../../alpha/src/do-work.ts'],
  ['domain-is-pure', 'services/alpha/src/domain/bad-library.ts', 'undici'],
  ['domain-is-pure', 'services/alpha/src/domain/bad-core.ts', 'node:fs'],
  ['domain-is-pure', 'services/alpha/src/domain/bad-port.ts', '../ports.ts'],
  ['ports-are-interfaces', 'services/beta/src/ports.ts', 'express'],
  ['use-cases-behind-ports', 'services/alpha/src/bad-adapter.ts', './adapters/http.ts'],
  ['use-cases-behind-ports', 'services/alpha/src/bad-store.ts', '@parcelway/sqlite/database'],
  ['use-cases-behind-ports', 'services/alpha/src/bad-library.ts', 'express'],
  ['use-cases-behind-ports', 'services/alpha/src/bad-driver.ts', '../../../packages/blobs/src/minio-driver.ts'],
  ['adapters-below-the-root', 'services/alpha/src/adapters/bad-root.ts', '../service.ts'],
  ['gateway-edge', 'services/gateway/src/edge/adapters/bad-part.ts', '../../accounts/domain/records.ts'],
  ['gateway-edge', 'services/gateway/src/edge/bad-config.ts', '../config.ts'],
  ['gateway-accounts', 'services/gateway/src/accounts/bad-part.ts', '../sandbox/simulate.ts'],
  ['gateway-activity', 'services/gateway/src/activity/bad-part.ts', '../accounts/domain/records.ts'],
  ['gateway-sandbox', 'services/gateway/src/sandbox/bad-part.ts', '../accounts/domain/records.ts'],
  ['gateway-site', 'services/gateway/src/site/adapters/bad-part.ts', '../../accounts/ports.ts'],
  ['gateway-sockets-at-the-edge', 'services/gateway/src/site/adapters/bad-socket.ts', 'node:http'],
  ['gateway-sockets-at-the-edge', 'services/gateway/src/accounts/adapters/bad-client.ts', 'undici'],
  ['domain-is-pure', 'services/gateway/src/accounts/domain/bad-port.ts', '../ports.ts'],
  ['ports-are-interfaces', 'services/gateway/src/site/ports.ts', 'express'],
  ['use-cases-behind-ports', 'services/gateway/src/sandbox/bad-adapter.ts', '../edge/adapters/edge.ts'],
  ['adapters-below-the-root', 'services/gateway/src/edge/adapters/bad-root.ts', '../../service.ts'],
  ['scenarios-from-outside', 'e2e/src/bad.ts', '../../services/alpha/src/service.ts'],
  ['nothing-builds-on-the-edge', 'services/alpha/src/adapters/bad-edge.ts', '../../../../e2e/src/scenario.ts'],
  ['nothing-builds-on-tools', 'services/alpha/src/adapters/bad-tool.ts', '../../../../tools/paths/src/main.ts'],
  ['paths-from-outside', 'tools/paths/src/bad.ts', '@parcelway/http/app'],
  ['no-test-code-in-products', 'services/alpha/src/adapters/bad-test.ts', '../do-work.test.ts'],
  ['domain-is-pure', 'services/webhook/src/dispatch/domain/bad-core.ts', 'node:fs'],
  ['domain-is-pure', 'services/webhook/src/dispatch/domain/bad-port.ts', '../ports.ts'],
  ['ports-are-interfaces', 'services/webhook/src/queue/ports.ts', 'express'],
  ['use-cases-behind-ports', 'services/webhook/src/dispatch/bad-adapter.ts', './adapters/http.ts'],
  ['use-cases-behind-ports', 'services/webhook/src/dispatch/bad-store.ts', '@parcelway/sqlite/database'],
  ['adapters-below-the-root', 'services/webhook/src/dispatch/adapters/bad-root.ts', '../../service.ts'],
  ['webhook-endpoints', 'services/webhook/src/endpoints/bad.ts', '../intake/domain/event.ts'],
  ['webhook-intake', 'services/webhook/src/intake/domain/bad.ts', '../../dispatch/domain/step.ts'],
  ['webhook-queue', 'services/webhook/src/queue/adapters/bad.ts', '../../dispatch/adapters/http.ts'],
  ['webhook-dispatch', 'services/webhook/src/dispatch/bad-root.ts', '../config.ts'],
  ['webhook-feed', 'services/webhook/src/feed/bad.ts', '../dispatch/ports.ts'],
  ['webhook-retention', 'services/webhook/src/retention/bad.ts', '../dispatch/ports.ts'],
  ['webhook-erasure', 'services/webhook/src/erasure/bad.ts', '../dispatch/ports.ts'],
  ['warehouse-intake-matching', 'services/warehouse-intake/src/matching/adapters/bad.ts', '../../view/domain/forecast.ts'],
  ['warehouse-intake-outcomes', 'services/warehouse-intake/src/outcomes/bad.ts', '../reports/ports.ts'],
  ['warehouse-intake-reports', 'services/warehouse-intake/src/reports/bad.ts', '../view/domain/forecast.ts'],
  ['warehouse-intake-view', 'services/warehouse-intake/src/view/domain/bad.ts', '../../reports/ports.ts'],
  ['warehouse-intake-unclaimed', 'services/warehouse-intake/src/unclaimed/adapters/bad.ts', '../../adapters/config.ts'],
  ['warehouse-intake-erasure', 'services/warehouse-intake/src/erasure/adapters/bad.ts', '../../adapters/config.ts'],
  ['driver-photostructure-sqlite', 'services/alpha/src/adapters/bad-sqlite.ts', '@photostructure/sqlite'],
  ['driver-kafkajs', 'packages/bus/src/embedded-bad.ts', 'kafkajs'],
  ['driver-ioredis', 'packages/cache/src/memory-bad.ts', 'ioredis'],
  ['driver-minio', 'packages/blobs/src/filesystem-bad.ts', 'minio'],
  ['driver-mongoose', 'services/alpha/src/adapters/bad-mongoose.ts', 'mongoose'],
  ['package-page', 'packages/page/src/bad-view.tsx', '@parcelway/contracts/topics'],
  ['nothing-imports-tools', 'services/alpha/src/adapters/bad-tool.ts', '../../../../tools/servers/src/launch.ts'],
  ['nothing-imports-tools', 'e2e/src/bad-tool.ts', '../../tools/servers/src/launch.ts'],
  ['tool-containers', 'tools/containers/src/bad.ts', '../../docs/src/parts.ts'],
  ['tool-testing', 'tools/testing/src/bad.ts', '../../docs/src/parts.ts'],
  ['tool-observability', 'tools/observability/src/bad.ts', '../../docs/src/parts.ts'],
  ['tool-k8s', 'tools/k8s/src/bad.ts', '../../docs/src/parts.ts'],
  ['tool-docs', 'tools/docs/src/bad.ts', '../../servers/src/launch.ts'],
  ['tools-apart', 'tools/servers/src/bad.ts', '../../docs/src/parts.ts'],
  ['tools-read-services-in-tests', 'tools/docs/src/bad-service.ts', '../../../services/alpha/src/domain.ts'],
  ['no-cycles', 'services/alpha/src/cycle-one.ts', './cycle-two.ts'],
  ['no-unresolved', 'services/alpha/src/bad-path.ts', './not-there.ts'],
];

/** Files that keep every rule, with what they import. */
const lawful: readonly (readonly [file: string, imports: readonly string[]])[] = [
  ['packages/kernel/src/ids.ts', ['node:crypto']],
  ['packages/contracts/src/topics.ts', ['@parcelway/kernel/ids']],
  ['packages/sqlite/src/database.ts', ['@photostructure/sqlite', '@parcelway/kernel/ids']],
  ['packages/http/src/app.ts', ['express', '@parcelway/contracts/topics']],
  ['packages/cli/src/cli.ts', ['@parcelway/contracts/topics']],
  ['packages/bus/src/kafka-driver.ts', ['kafkajs']],
  ['packages/cache/src/redis-key-cache.ts', ['ioredis']],
  ['packages/blobs/src/minio-driver.ts', ['minio']],
  ['services/alpha/src/domain.ts', ['node:crypto', '@parcelway/contracts/topics']],
  ['services/alpha/src/domain/part.ts', ['../domain.ts']],
  ['services/alpha/src/ports.ts', ['./domain.ts']],
  ['packages/blobs/src/blobs.ts', ['node:stream']],
  ['services/alpha/src/store-photo.ts', ['../../../packages/blobs/src/blobs.ts']],
  ['services/alpha/src/do-work.ts', ['./ports.ts', './domain.ts', '@parcelway/kernel/ids']],
  ['services/alpha/src/do-work.test.ts', ['./do-work.ts', './adapters/sqlite-work.ts']],
  ['services/alpha/src/adapters/sqlite-work.ts', ['../ports.ts', '@parcelway/sqlite/database']],
  ['services/alpha/src/adapters/mongo-work.ts', ['mongoose']],
  ['services/alpha/src/adapters/http.ts', ['../do-work.ts', 'express', '@parcelway/http/app']],
  ['services/alpha/src/service.ts', ['./adapters/http.ts', './adapters/sqlite-work.ts']],
  ['services/alpha/src/cycle-two.ts', ['./cycle-one.ts']],
  ['services/webhook/src/intake/domain/event.ts', ['node:crypto', '@parcelway/contracts/topics']],
  ['services/webhook/src/dispatch/domain/step.ts', ['../../intake/domain/event.ts']],
  ['services/webhook/src/dispatch/ports.ts', ['./domain/step.ts', '../intake/domain/event.ts']],
  ['services/webhook/src/dispatch/execute.ts', ['./ports.ts', './domain/step.ts', '@parcelway/kernel/ids']],
  ['services/webhook/src/dispatch/execute.test.ts', ['./execute.ts', '../service.ts']],
  ['services/webhook/src/dispatch/adapters/http.ts', ['../execute.ts', '@parcelway/http/app', 'express']],
  ['services/webhook/src/dispatch/adapters/mongo-work.ts', ['mongoose', '../../intake/domain/event.ts']],
  ['services/webhook/src/config.ts', ['./dispatch/domain/step.ts']],
  ['services/webhook/src/service.ts', ['./dispatch/adapters/http.ts', './config.ts']],
  ['services/warehouse-intake/src/adapters/config.ts', []],
  ['services/warehouse-intake/src/matching/domain/match.ts', ['@parcelway/contracts/topics']],
  ['services/warehouse-intake/src/reports/ports.ts', ['../matching/domain/match.ts']],
  ['services/warehouse-intake/src/view/domain/forecast.ts', ['../../matching/domain/match.ts']],
  ['services/warehouse-intake/src/unclaimed/adapters/http.ts', ['../../view/domain/forecast.ts', '../../reports/ports.ts', 'express']],
  ['services/beta/src/domain.ts', []],
  ['services/gateway/src/config.ts', []],
  ['services/gateway/src/edge/adapters/edge.ts', ['node:net', 'undici']],
  ['services/gateway/src/edge/domain/key.ts', []],
  ['services/gateway/src/edge/ports.ts', ['./domain/key.ts']],
  ['services/gateway/src/accounts/domain/records.ts', ['../../edge/domain/key.ts']],
  ['services/gateway/src/accounts/ports.ts', ['../edge/ports.ts', '../edge/domain/key.ts', './domain/records.ts']],
  ['services/gateway/src/accounts/adapters/mongo-stores.ts', ['../ports.ts', 'mongoose']],
  ['services/gateway/src/accounts/adapters/http-warehouses.ts', ['../../edge/adapters/edge.ts', '../ports.ts']],
  ['services/gateway/src/sandbox/simulate.ts', ['../edge/domain/key.ts']],
  ['services/gateway/src/service.ts', ['./edge/adapters/edge.ts', './accounts/adapters/http-warehouses.ts', './sandbox/simulate.ts']],
  ['services/all-in-one/src/main.ts', ['../../alpha/src/service.ts']],
  ['tools/paths/src/main.ts', ['@parcelway/kernel/ids']],
  ['e2e/src/scenario.ts', ['@parcelway/contracts/topics']],
  ['packages/page/src/view.tsx', ['./words.ts']],
  ['packages/page/src/words.ts', []],
  ['tools/servers/src/launch.ts', ['kafkajs', '@parcelway/kernel/ids']],
  ['tools/containers/src/engine.ts', ['../../servers/src/launch.ts']],
  ['tools/docs/src/parts.ts', ['@parcelway/contracts/topics']],
  ['tools/docs/src/parts.test.ts', ['../../../services/alpha/src/domain.ts']],
];

const libraries = ['undici', 'express', '@photostructure/sqlite', 'kafkajs', 'ioredis', 'minio', 'mongoose'];

/** What is read of the manifest of the repository. */
interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly workspaces: readonly string[];
}

interface Violation {
  readonly rule: string;
  readonly file: string;
}

let house = '';
let violations: readonly Violation[] = [];

function write(path: string, text: string): void {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
}

/** The ways to import; each must be seen by the checker. */
const importKinds = [
  (name: string) => `import * as part from '${name}';\nexport const here = part;\n`,
  (name: string) => `import type * as part from '${name}';\nexport type Here = typeof part;\n`,
  (name: string) => `export const here = () => import('${name}');\n`,
  (name: string) => `export { here } from '${name}';\n`,
];

/** Builds the house with lawful modules, stands-in for the libraries, and one module per violation. */
function buildHouse(): void {
  for (const name of libraries) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, 'module.exports = {};\n');
  }
  mkdirSync(join(house, 'node_modules/@parcelway'));
  for (const name of ['kernel', 'contracts', 'sqlite', 'http']) {
    const exports = { './*': { source: './src/*.ts', default: './dist/*.js' } };
    write(`packages/${name}/package.json`, JSON.stringify({ name: `@parcelway/${name}`, version: '1.0.0', exports }));
    symlinkSync(join(house, 'packages', name), join(house, 'node_modules/@parcelway', name));
  }
  for (const [file, imports] of lawful) {
    write(
      file,
      `${imports.map((name, index) => `import * as part${index} from '${name}';\n`).join('')}export const here = 1;\n${file.endsWith('.tsx') ? 'export const view = <p>{here}</p>;\n' : ''}`,
    );
  }
  for (const [index, [, file, imported]] of planted.entries()) {
    write(file, (importKinds[index % importKinds.length] as (name: string) => string)(imported));
  }
}

/** Runs the checker with the configuration of this repository over the house. @returns what it printed */
function cruise(outputType: string): string {
  const checker = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const options = ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', outputType, 'packages', 'services', 'tools', 'e2e'];
  const run = spawnSync(process.execPath, [checker, ...options], { cwd: house, encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26 });
  if (run.stdout === '') throw new Error(`the checker printed nothing: ${run.stderr}`);
  return run.stdout;
}

/** The violations that the checker finds. */
function violationsFound(): readonly Violation[] {
  const { summary } = JSON.parse(cruise('json')) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  return summary.violations.map(({ from, rule }) => ({ rule: rule.name, file: from }));
}

beforeAll(() => {
  house = realpathSync(mkdtempSync(join(tmpdir(), 'parcelway-layers-')));
  buildHouse();
  violations = violationsFound();
}, 90_000);

afterAll(() => rmSync(house, { recursive: true, force: true }));

describe('the layering checker', () => {
  test.each(planted)('finds that %s is broken by %s, which imports %s', (rule, file) => {
    expect(violations).toContainEqual({ rule, file });
  });

  test('lets every lawful import pass', () => {
    const innocent = new Set(lawful.map(([file]) => file));
    // Of the two modules of the planted cycle the checker may name either.
    const accused = violations.filter(({ rule, file }) => innocent.has(file) && rule !== 'no-cycles');
    expect(accused).toEqual([]);
  });

  test('prints the reason of a rule that is broken, in the form that `npm run layers` chooses', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    const [, outputType = ''] = /--output-type (\S+)/.exec(scripts['layers'] ?? '') ?? [];
    expect(cruise(outputType).replaceAll(/\s+/g, ' ')).toContain('Packages serve the services and know none of them.');
  }, 90_000);

  test('reads every workspace of this repository', () => {
    const { scripts, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    const read = (scripts['layers'] ?? '').split(' ');
    for (const folder of workspaces) expect(read).toContain(folder.replace('/*', ''));
  });

  test('is tested with a violation of every rule', async () => {
    const { default: config } = (await import(join(root, '.dependency-cruiser.mjs'))) as { default: { forbidden: { name: string }[] } };
    expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set(config.forbidden.map(({ name }) => name)));
  });
});
