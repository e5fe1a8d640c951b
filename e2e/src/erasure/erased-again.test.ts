import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { Erasure } from '@parcelway/contracts/tenant-data-api';
import { platformMode } from '@parcelway/harness/installation';
import { parcelctlOutput } from '@parcelway/harness/parcelctl';
import { usePlatforms } from '../process/use-platforms.ts';
import { useDirectory } from '../use-directory.ts';
import { useStage } from '../use-stage.ts';
import { fullTenant, settledSoon } from './tenants.ts';
import { placesWith } from './what-is-stored.ts';

jest.setTimeout(300_000);

const COMMAND_MS = 180_000;

const stage = useStage(settledSoon);
const folder = useDirectory();
const platforms = usePlatforms();

const parcelctl = (directory: string, ...args: readonly string[]): Promise<string> =>
  parcelctlOutput(args, { DATA_DIR: directory }, COMMAND_MS);

// Distributed, a restore goes to other names: the drill of the backup does that. What follows a restore is the same.
const inEmbedded = platformMode() === 'embedded' ? test : test.skip;

inEmbedded('a tenant that a restored backup brings back is erased again', async () => {
  const tenant = await fullTenant(stage, 'GONE');
  const [backup, report, restored] = ['backup', 'report.json', 'data'].map((name) => join(folder.path, name)) as [string, string, string];
  await parcelctl(stage.platform.dataDirectory, 'backup', '--to', backup);
  await parcelctl(stage.platform.dataDirectory, 'tenant', 'erase', tenant.tenantId, '--yes', '--report', report);
  const { tenant_id } = JSON.parse(readFileSync(report, 'utf8')) as Erasure;
  await stage.platform.stop();
  await parcelctl(restored, 'restore', '--from', backup);
  const again = await platforms.start({ dataDirectory: restored, env: settledSoon });
  expect(await placesWith(again, [tenant.poNumber])).not.toEqual([]);
  await parcelctl(restored, 'tenant', 'erase', tenant_id, '--yes', '--report', `${report}.again`);
  expect(await placesWith(again, [tenant.tenantId, ...tenant.marks])).toEqual([]);
  await stage.platform.start();
});
