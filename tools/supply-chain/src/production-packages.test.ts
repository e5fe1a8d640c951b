import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { licenceFaults } from './licences.ts';
import { thirdPartyNotices } from './notices.ts';
import { BUNDLED, IMAGE_WORKSPACE, productionPackages } from './production-packages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const product = JSON.parse(read('package.json')) as { name: string; version: string; license: string; workspaces: string[] };
const packages = productionPackages(root);
const named = packages.map(({ name, version }) => `${name} ${version}`);

/** Folders that the workspaces of the root manifest stand for. */
function workspaceFolders(): string[] {
  return product.workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2)), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => `${pattern.slice(0, -1)}${entry.name}`)
      : pattern,
  );
}

/** What npm would install for the image, asked of npm itself: from the manifests and the lock alone, without a network. */
function installedByNpm(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'parcelway-manifests-'));
  try {
    for (const name of ['package.json', 'package-lock.json', ...workspaceFolders().map((each) => `${each}/package.json`)]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      cpSync(join(root, name), join(folder, name));
    }
    const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--offline', '--loglevel=error'];
    const run = spawnSync('npm', ['ci', '--dry-run', ...options, '--workspace', IMAGE_WORKSPACE], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return [...run.stdout.matchAll(/^add (\S+) (\S+)$/gm)].map(([, name, version]) => `${name} ${version}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Modules that are neither ours nor relative, out of the sources of the pages; `testing/` serves their tests alone. */
function importedByThePages(): string[] {
  // Of the documentation, the script alone goes into pages: what makes them stays behind.
  const files = ['page/src', 'console/src', 'station/src', 'operator/src', 'docs-site/src/page', 'docs-site/src/search'].flatMap((name) => {
    const folder = join(root, 'packages', name);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  });
  const found = files
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !name.includes('/testing/'))
    .flatMap((name) =>
      [...readFileSync(name, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^'.][^']*)'/gm)].map(
        ([, module]) => module as string,
      ),
    );
  return [...new Set(found.map((module) => module.split('/')[0] as string))].filter((name) => name !== '@parcelway').sort();
}

describe('what ships', () => {
  test('is what npm installs for the image, and what is bundled into the pages', () => {
    const expected = new Set([
      ...installedByNpm(),
      ...packages.filter(({ name }) => BUNDLED.includes(name)).map((each) => `${each.name} ${each.version}`),
    ]);
    expect(expected.size).toBeGreaterThan(100);
    expect([...new Set(named)].sort()).toEqual([...expected].sort());
  });

  test('has bundled packages in it, all that the pages import', () => {
    expect(importedByThePages()).toEqual([...BUNDLED].sort());
  });

  test('is installed by the Dockerfile, which writes its bill into the image', () => {
    const dockerfile = read('Dockerfile');
    expect(dockerfile).toContain(`--workspace ${IMAGE_WORKSPACE}`);
    expect(dockerfile).toContain(
      'node tools/supply-chain/dist/sbom-main.js --output /runtime/sbom.cdx.json --notices /runtime/THIRD-PARTY-LICENCES.txt',
    );
    for (const line of ['!tools/build', '!tools/supply-chain']) expect(read('.dockerignore').split('\n')).toContain(line);
  });

  test('has licences that are allowed, every one', () => {
    expect(licenceFaults(packages)).toEqual([]);
  });

  test('goes with the licence texts of others', () => {
    const notices = thirdPartyNotices(packages, root);
    for (const { name, version, license, own } of packages) if (!own) expect(notices).toContain(`${name} ${version} (${license})`);
    expect(notices).toContain('Permission is hereby granted, free of charge');
    expect(notices).not.toContain('@parcelway/');
  });
});
