import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import type { Erasure } from '@parcelway/contracts/tenant-data-api';
import { platformMode } from '@parcelway/harness/installation';
import { parcelctlOutput } from '@parcelway/harness/parcelctl';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { useStage } from '../use-stage.ts';
import { fullTenant, settledSoon } from './tenants.ts';
import { placesWith } from './what-is-stored.ts';

jest.setTimeout(300_000);

const COMMAND_MS = 180_000;

const stage = useStage(settledSoon);
const folder = mkdtempSync(join(tmpdir(), 'erased-again-'));
const restored = join(folder, 'data');
let again: PlatformProcess | undefined;
afterAll(async () => {
  await again?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const parcelctl = (directory: string, ...args: readonly string[]): Promise<string> =>
  parcelctlOutput(args, { DATA_DIR: directory }, COMMAND_MS);

// Distributed, a restore goes to other names: the drill of the backup does that. What follows a restore is the same.
const inEmbedded = platformMode() === 'embedded' ? test : test.skip;

inEmbedded('a tenant that a restored backup brings back is erased again', async () => {
  const tenant = await fullTenant(stage, 'GONE');
  const [backup, report] = [join(folder, 'backup'), join(folder, 'report.json')];
  await parcelctl(stage.platform.dataDirectory, 'backup', '--to', backup);
  await parcelctl(stage.platform.dataDirectory, 'tenant', 'erase', tenant.tenantId, '--yes', '--report', report);
  const { tenant_id } = JSON.parse(readFileSync(report, 'utf8')) as Erasure;
  await stage.platform.stop();
  await parcelctl(restored, 'restore', '--from', backup);
  again = await PlatformProcess.start({ dataDirectory: restored, env: settledSoon });
  expect(await placesWith(again, [tenant.poNumber])).not.toEqual([]);
  await parcelctl(restored, 'tenant', 'erase', tenant_id, '--yes', '--report', `${report}.again`);
  expect(await placesWith(again, [tenant.tenantId, ...tenant.marks])).toEqual([]);
  await stage.platform.start();
});
