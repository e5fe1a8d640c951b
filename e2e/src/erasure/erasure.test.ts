import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Erasure } from '@parcelway/contracts/tenant-data-api';
import { platformMode } from '@parcelway/harness/installation';
import { parcelctlOutput, runParcelctl } from '@parcelway/harness/parcelctl';
import { useDirectory } from '../use-directory.ts';
import { useStage } from '../use-stage.ts';
import { type FullTenant, fullTenant, settledSoon } from './tenants.ts';
import { placesWith, rawPlacesWith } from './what-is-stored.ts';

jest.setTimeout(240_000);

const COMMAND_MS = 180_000;

describe('the data of a tenant', () => {
  const stage = useStage(settledSoon);
  const folder = useDirectory();
  let erased: FullTenant;
  let other: FullTenant;
  beforeAll(async () => {
    [erased, other] = [await fullTenant(stage, 'GONE'), await fullTenant(stage, 'KEPT')];
  });

  const parcelctl = (...args: readonly string[]): Promise<string> =>
    parcelctlOutput(args, { DATA_DIR: stage.platform.dataDirectory }, COMMAND_MS);

  /** All files of the export, by name. */
  function files(): ReadonlyMap<string, Buffer> {
    const entries = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map((entry) => join(entry.parentPath, entry.name));
    return new Map(paths.map((path) => [path.slice(folder.path.length + 1), readFileSync(path)]));
  }

  test('is exported whole, without secrets, and not that of another', async () => {
    await parcelctl('tenant', 'export', erased.tenantId, '--to', folder.path);
    const all = files();
    const manifest = JSON.parse(String(all.get('manifest.json'))) as {
      files: readonly { name: string; bytes: number; sha256: string }[];
      records: Readonly<Record<string, number>>;
    };
    expect(manifest.files.map(({ name }) => name).sort()).toEqual([...all.keys()].filter((name) => name !== 'manifest.json').sort());
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = all.get(name) as Buffer;
      expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([name, bytes, sha256]);
    }
    expect(manifest.records).toMatchObject({
      'gateway/account': 1,
      'gateway/keys': 1,
      'forecast/forecasts': 2,
      'warehouse-intake/parcels': 2,
      'warehouse-intake/view_forecasts': 2,
      'tracking/connections': 1,
      'tracking/shipments': 1,
      'webhook/endpoints': 1,
    });
    expect(manifest.records['webhook/deliveries']).toBeGreaterThan(0);
    const text = [...all.values()].map(String).join('\n');
    for (const mark of [...erased.marks, 'GONE recipient', 'photo of GONE']) expect([mark, text.includes(mark)]).toEqual([mark, true]);
    const secrets = [erased.webhookSecret, 'credential-GONE', erased.merchant.identity.key, other.tenantId, 'KEPT'];
    for (const secret of secrets) expect([secret, text.includes(secret)]).toEqual([secret, false]);
  });

  test('an export goes on where it was interrupted', async () => {
    // As it was before its manifest was written.
    rmSync(join(folder.path, 'manifest.json'));
    writeFileSync(join(folder.path, 'export.json'), JSON.stringify({ tenant_id: erased.tenantId, began_at: '2026-11-26T08:00:00.000Z' }));
    const again = JSON.parse(await parcelctl('tenant', 'export', erased.tenantId, '--to', folder.path, '--json')) as { contents: number };
    expect(again.contents).toBe(0);
    expect(files().has('manifest.json')).toBe(true);
  });

  test('is erased from every store, and that of another stays', async () => {
    const kept = await other.merchant.forecast(other.poNumber);
    const report = join(folder.path, 'report.json');
    await parcelctl('tenant', 'erase', erased.tenantId, '--yes', '--report', report, '--backups-until', '2026-12-31');
    const erasure = JSON.parse(readFileSync(report, 'utf8')) as Erasure;
    expect([erasure.tenant_id, erasure.state]).toEqual([erased.tenantId, 'finished']);
    expect(new Set(erasure.removed.map(({ service }) => service))).toEqual(
      new Set(['gateway', 'forecast', 'file', 'warehouse-intake', 'tracking', 'webhook']),
    );
    expect(erasure.removed).toContainEqual({ service: 'file', kind: 'photos', count: 1 });
    expect(erasure.remains).toContainEqual(expect.objectContaining({ what: 'backups', until: '2026-12-31' }));
    expect(await placesWith(stage.platform, [erased.tenantId, ...erased.marks])).toEqual([]);
    expect(await placesWith(stage.platform, [other.tenantId])).not.toEqual([]);
    expect(await other.merchant.forecast(other.poNumber)).toEqual(kept);
  });

  test('contents of the tenant are gone, those of another open', async () => {
    const opened = async (url: string): Promise<number> => (await other.merchant.client.fetchBytes(url)).status;
    expect([await opened(erased.fileUrl), await opened(erased.photoUrl)]).toEqual([404, 404]);
    expect([await opened(other.fileUrl), await opened(other.photoUrl)]).toEqual([200, 200]);
  });

  test('the tenant is gone for good', async () => {
    const { admin } = stage.operator;
    expect((await erased.merchant.submitBody(await other.merchant.body())).code).toBe('40003');
    expect((await admin.call(`/admin/v1/tenants/${erased.tenantId}/resume`, { method: 'POST' })).code).toBe('40902');
    expect((await admin.call('/admin/v1/keys', { body: { tenant_id: erased.tenantId } })).code).toBe('40403');
    expect((await admin.call(`/admin/v1/tenants/${erased.tenantId}/export`)).code).toBe('40403');
    const again = await runParcelctl(['tenant', 'erase', 'tnt_nobody', '--yes'], { DATA_DIR: stage.platform.dataDirectory });
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('40403')]);
  });

  if (platformMode() === 'embedded') {
    test('what was deleted is overwritten in the files', async () => {
      await stage.platform.stop();
      expect(rawPlacesWith(stage.platform, [...erased.marks, 'GONE recipient', 'photo of GONE'])).toEqual([]);
      expect(rawPlacesWith(stage.platform, [other.poNumber])).not.toEqual([]);
      await stage.platform.start();
    });
  }
});
