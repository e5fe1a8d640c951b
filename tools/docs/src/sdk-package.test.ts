import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/* The package that merchants install: packed, installed into an empty folder outside of the repository, and used by programs there. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
let program: string;
let before: string;

/** What npm would install beside the package, from the registry: its one dependency with what that needs. */
const dependencies = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'];
const quiet = ['--ignore-scripts', '--silent'];
const treeState = () =>
  execFileSync('git', ['status', '--porcelain', '--ignored', '--', '*.tgz', 'packages/sdk'], { cwd: root, encoding: 'utf8' });

beforeAll(() => {
  before = treeState();
  program = mkdtempSync(join(tmpdir(), 'sdk-package-'));
  execFileSync('npm', ['pack', '--workspace', '@parcelway/sdk', '--pack-destination', program, ...quiet], { cwd: root, timeout: 60_000 });
  for (const name of dependencies) {
    execFileSync('npm', ['pack', join(root, 'node_modules', name), '--pack-destination', program, ...quiet], {
      cwd: program,
      timeout: 60_000,
    });
  }
  const archives = readdirSync(program).filter((name) => name.endsWith('.tgz'));
  expect(archives).toHaveLength(1 + dependencies.length);
  writeFileSync(join(program, 'package.json'), '{ "name": "program", "private": true }\n');
  const install = ['install', '--offline', '--no-audit', '--no-fund', ...quiet, ...archives.map((name) => `./${name}`)];
  execFileSync('npm', install, { cwd: program, timeout: 120_000 });
}, 180_000);
afterAll(() => rmSync(program, { recursive: true, force: true }));

/** Runs a program of Node in the folder. @returns what it prints, on both ways */
function run(...args: string[]) {
  const env = { PATH: process.env.PATH };
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: program, encoding: 'utf8', timeout: 60_000, env });
  return stdout + stderr;
}

const uses = `
const parcelway = new Parcelway({ apiKey: 'k', baseUrl: 'https://localhost' });
console.log(typeof parcelway.forecasts.submit, typeof verifyWebhook, new ParcelwayConnectionError('timeout', '') instanceof ParcelwayError);
`;
const programs = {
  'import.mjs': `import { Parcelway, ParcelwayConnectionError, ParcelwayError } from '@parcelway/sdk';\nimport { verifyWebhook } from '@parcelway/sdk/verify-webhook';\n${uses}`,
  'require.cjs': `const { Parcelway, ParcelwayConnectionError, ParcelwayError } = require('@parcelway/sdk');\nconst { verifyWebhook } = require('@parcelway/sdk/verify-webhook');\n${uses}`,
};

test.each(Object.entries(programs))('%s loads it', (name, source) => {
  writeFileSync(join(program, name), source);
  // Since Node.js 20.19, CommonJS can load ES modules. The package does not need that: earlier versions of 20 can use it, too.
  expect(run(...(name.endsWith('.cjs') ? ['--no-experimental-require-module'] : []), name)).toBe('function function true\n');
});

test('a program that loads it both ways gets the same classes', () => {
  const readers = ['acceptedForecasts', 'failedForecasts', 'validatedForecasts'];
  const names = ['Parcelway', 'ParcelwayError', 'ParcelwayConnectionError', 'WebhookVerificationError', 'verifyWebhook', ...readers];
  writeFileSync(
    join(program, 'both.mjs'),
    `import { createRequire } from 'node:module';
import * as imported from '@parcelway/sdk';
import * as verifying from '@parcelway/sdk/verify-webhook';
const require = createRequire(import.meta.url);
const required = require('@parcelway/sdk');
console.log(JSON.stringify(Object.keys(imported).sort()), JSON.stringify(Object.keys(required).sort()));
console.log(Object.keys(imported).every((name) => imported[name] === required[name]));
console.log(verifying.WebhookVerificationError === required.WebhookVerificationError);
`,
  );
  const keys = JSON.stringify([...names].sort());
  expect(run('both.mjs')).toBe(`${keys} ${keys}\ntrue\ntrue\n`);
});

describe('programs in TypeScript', () => {
  const source = (imports: string) => `${imports}
export async function main(parcelway: Parcelway, event: WebhookEvent): Promise<number | string> {
  try {
    const { weight_kg } = await parcelway.forecasts.weighing('PO-1');
    // @ts-expect-error the weight may be missing
    const weight: number = weight_kg;
    for await (const forecast of parcelway.forecasts.list({ status: 'WEIGHED' })) return forecast.po_number;
    return event.type === 'tracking.changed' ? event.data.admin_status : weight;
  } catch (error) {
    return error instanceof ParcelwayError ? error.code : verifyWebhook('', {}, '').type;
  }
}
console.log(typeof main, typeof ParcelwayError, typeof verifyWebhook);
`;
  const imports = `import { type Parcelway, ParcelwayError, type WebhookEvent } from '@parcelway/sdk';\nimport { verifyWebhook } from '@parcelway/sdk/verify-webhook';`;
  const required = `import sdk = require('@parcelway/sdk');\nimport ParcelwayError = sdk.ParcelwayError;\nimport verifyWebhook = sdk.verifyWebhook;\ntype Parcelway = sdk.Parcelway;\ntype WebhookEvent = sdk.WebhookEvent;`;

  test.each([
    ['module nodenext, an ES module', 'esm.mts', imports, { module: 'nodenext' }, 'esm.mjs'],
    ['module nodenext, CommonJS', 'common.cts', imports, { module: 'nodenext' }, 'common.cjs'],
    ['module nodenext, with import = require', 'assigned.cts', required, { module: 'nodenext' }, 'assigned.cjs'],
    ['module commonjs', 'old.ts', imports, { module: 'commonjs' }, 'old.js'],
    ['module esnext for a bundler', 'bundled.mts', imports, { module: 'esnext', moduleResolution: 'bundler' }, 'bundled.mjs'],
  ])(
    '%s',
    (_what, name, importing, options, compiled) => {
      const compilerOptions = {
        ...options,
        target: 'es2022',
        strict: true,
        skipLibCheck: false,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      };
      writeFileSync(join(program, name), source(importing));
      writeFileSync(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }));
      expect(run(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')).toBe('');
      expect(run(compiled)).toBe('function function function\n');
    },
    60_000,
  );
});

test('packing as documented leaves nothing in the tree', () => {
  for (const page of ['docs/sdk.md', 'packages/sdk/README.md']) {
    const commands = readFileSync(join(root, page), 'utf8').match(/^npm pack .*$/gm) ?? [];
    expect(commands).toEqual([expect.stringContaining(' --pack-destination "$HOME"')]);
  }
  expect(treeState()).toBe(before);
  expect(execFileSync('git', ['check-ignore', 'parcelway-sdk-0.1.0.tgz'], { cwd: root, encoding: 'utf8' })).toContain('.tgz');
});
