import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { billOfMaterials } from './bill-of-materials.ts';
import { isAllowed, licenceFaults } from './licences.ts';
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

/** Modules that are neither ours nor relative, out of the sources of the pages. */
function importedByThePages(): string[] {
  const files = ['page', 'console', 'station'].flatMap((name) => {
    const folder = join(root, 'packages', name, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  });
  const found = files
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
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

describe('the licence check', () => {
  const shipped = { path: 'node_modules/x', name: 'x', version: '1.0.0', integrity: undefined, own: false, dependencies: [] };

  test('names what it does not allow, and what to do', () => {
    expect(licenceFaults([{ ...shipped, license: 'AGPL-3.0-only' }])).toEqual([
      expect.stringMatching(/^x@1\.0\.0 has the licence AGPL-3\.0-only; allowed are .*MIT.*\. Replace it, or decide/),
    ]);
    expect(licenceFaults([{ ...shipped, license: undefined }])).toEqual([expect.stringContaining('x@1.0.0 names no licence')]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND GPL-3.0-only', false],
    ['MIT AND (GPL-3.0-only OR ISC)', true],
    ['GPL-3.0-only OR MIT AND GPL-2.0-only', false],
    ['SEE LICENSE IN license.txt', false],
    ['(MIT', false],
    ['', false],
  ])('reads %p', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed);
  });
});

describe('the bill of materials', () => {
  const bill = billOfMaterials(root, packages);

  test('is CycloneDX 1.5, names the product and every package with version, licence and address', () => {
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { name: 'parcelway', version: product.version } },
    });
    expect(bill.components.map(({ name, version }) => `${name} ${version}`).sort()).toEqual([...new Set(named)].sort());
    for (const each of bill.components) {
      expect(each.purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.+-]*$/);
      const [licence] = each.licenses ?? [];
      expect(each.licenses).toHaveLength(1);
      expect(licence?.license?.id ?? licence?.expression).toMatch(/\S/);
    }
  });

  test('has the hash of every package of others', () => {
    const others = bill.components.filter(({ name }) => !name.startsWith('@parcelway/'));
    for (const { name, hashes } of others)
      expect([name, hashes]).toEqual([name, [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]]);
  });

  test('says what needs what, with names that are there and there once', () => {
    const refs = [bill.metadata.component['bom-ref'], ...bill.components.map((each) => each['bom-ref'])];
    expect(new Set(refs).size).toBe(refs.length);
    expect(bill.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
    for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  });

  test('is the same for the same lock, and another for another', () => {
    expect(JSON.stringify(billOfMaterials(root, productionPackages(root)))).toBe(JSON.stringify(bill));
    expect(JSON.stringify(billOfMaterials(root, packages.slice(1)))).not.toBe(JSON.stringify(bill));
  });
});
