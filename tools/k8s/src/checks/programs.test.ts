import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { kubeconform } from '../commands.ts';
import { ensureKubernetesTools, kubernetesVersions } from '../kubernetes-tools.ts';
import { type Manifest, planted, readManifests } from './manifests.ts';

/* The programs that check:k8s asks do fail: each of these manifests has a fault. */

let tools: Awaited<ReturnType<typeof ensureKubernetesTools>>;
const folder = mkdtempSync(join(tmpdir(), 'parcelway-k8s-'));
const sound = readManifests('production-with-all');

beforeAll(async () => {
  tools = await ensureKubernetesTools();
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Manifests in a file; what is JSON is YAML too. */
function fileWith(manifests: readonly Manifest[]): string {
  const file = join(folder, 'faulty.yaml');
  writeFileSync(file, manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n'));
  return file;
}

function run([program = '', ...args]: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 15_000 });
  return { status, output: `${stdout}${stderr}` };
}

describe.each(kubernetesVersions)('kubeconform, Kubernetes %s', (version) => {
  test('accepts what is sound', () => {
    expect(run(kubeconform(tools, version, [fileWith(sound)]))).toMatchObject({ status: 0 });
  });

  test.each([
    ['a field that is not known', '"terminationGracePeriodSeconds"', '"terminationGracePeriod"', /'terminationGracePeriod' not allowed/],
    ['a field that is not known to KEDA', '"pollingInterval"', '"interval"', /'interval' not allowed/],
    ['a value of the wrong type', '"containerPort":8080', '"containerPort":"8080"', /got string, want integer/],
    ['a kind that is not known', '"kind":"NetworkPolicy"', '"kind":"NetworkPolice"', /could not find schema for NetworkPolice/],
  ])('refuses %s', (_what, text, fault, expected) => {
    const { status, output } = run(kubeconform(tools, version, [fileWith(planted(sound, text, fault))]));
    expect(output).toMatch(expected);
    expect(status).toBe(1);
  });
});
