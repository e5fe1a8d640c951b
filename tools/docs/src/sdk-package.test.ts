import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/* The package that merchants install, packed and unpacked as npm does it, and loaded by a program outside of the repository. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
let program: string;

beforeAll(() => {
  program = mkdtempSync(join(tmpdir(), 'sdk-package-'));
  const args = ['pack', '--workspace', '@parcelway/sdk', '--pack-destination', program, '--ignore-scripts', '--silent'];
  execFileSync('npm', args, { cwd: root, timeout: 60_000 });
  const [archive = ''] = readdirSync(program).filter((name) => name.endsWith('.tgz'));
  const installed = join(program, 'node_modules/@parcelway/sdk');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(program, archive), '--strip-components=1', '-C', installed]);
  // Its one dependency, as npm would place it.
  execFileSync('cp', [
    '-RL',
    ...['standardwebhooks', '@stablelib', 'fast-sha256'].map((name) => join(root, 'node_modules', name)),
    join(program, 'node_modules'),
  ]);
}, 120_000);
afterAll(() => rmSync(program, { recursive: true, force: true }));

const uses = 'console.log(typeof Parcelway, typeof verifyWebhook, new Parcelway({ apiKey: "k", baseUrl: "https://localhost" }) !== null);';
const programs = {
  'index.mjs': `import { Parcelway } from '@parcelway/sdk';\nimport { verifyWebhook } from '@parcelway/sdk/verify-webhook';\n${uses}`,
  'index.cjs': `const { Parcelway } = require('@parcelway/sdk');\nconst { verifyWebhook } = require('@parcelway/sdk/verify-webhook');\n${uses}`,
};

test.each(Object.entries(programs))('%s loads it', (name, source) => {
  writeFileSync(join(program, name), source);
  const { stdout, stderr } = spawnSync(process.execPath, [name], {
    cwd: program,
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: process.env.PATH },
  });
  expect([stdout, stderr.replaceAll(/^.*ExperimentalWarning.*\n.*\n?/gm, '')]).toEqual(['function function true\n', '']);
});

test('packing as documented leaves nothing in the tree', () => {
  for (const page of ['docs/sdk.md', 'packages/sdk/README.md']) {
    const commands = readFileSync(join(root, page), 'utf8').match(/^npm pack .*$/gm) ?? [];
    expect(commands).toEqual([expect.stringContaining(' --pack-destination "$HOME"')]);
  }
  expect(execFileSync('git', ['check-ignore', 'parcelway-sdk-0.1.0.tgz'], { cwd: root, encoding: 'utf8' })).toContain('.tgz');
});
