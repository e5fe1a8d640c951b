import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { billOfMaterials } from './bill-of-materials.ts';
import { productionPackages } from './production-packages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const product = JSON.parse(read('package.json')) as { name: string; version: string; license: string; workspaces: string[] };
const packages = productionPackages(root);
const named = packages.map(({ name, version }) => `${name} ${version}`);

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
