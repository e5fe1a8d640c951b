import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

/* What doctor finds on servers is tested where the services are; here nothing is reachable. */

const INTERNAL = 'an-internal-secret-of-start-distributed';
const FILE = 'the-file-secret-that-never-changes-0123';
const parcelctl = parcelctlWithServer();
beforeEach(() => {
  const installation = { environment: 'sandbox', internalSecret: INTERNAL, fileSecret: FILE };
  writeFileSync(join(parcelctl.directory, 'installation.json'), JSON.stringify(installation));
});

async function doctor(env: Readonly<Record<string, string>>) {
  const distributed = { DATA_DIR: parcelctl.directory, KAFKA_BROKERS: 'nowhere' };
  const { code, out } = await parcelctl.run(['doctor', '--json'], { env: { ...distributed, ...env } });
  const { findings } = JSON.parse(out) as { findings: { check: string; status: string; message: string }[] };
  const ofSecrets = findings.filter(({ check }) => check === 'installation' || check.startsWith('secret'));
  return { code, out, ofSecrets: ofSecrets.map(({ check, status }) => `${check}: ${status}`) };
}

test('finds the secrets that start:distributed keeps in the data directory, and does not show them', async () => {
  const { out, ofSecrets } = await doctor({});
  expect(ofSecrets).toEqual(['installation: ok', 'secrets: ok']);
  expect(out).not.toContain(INTERNAL);
  expect(out).not.toContain(FILE);
});

test('reports a data directory of another installation', async () => {
  const { code, ofSecrets } = await doctor({ ENVIRONMENT: 'production' });
  expect([code, ofSecrets]).toEqual([1, ['installation: wrong', 'secret INTERNAL_SECRET: wrong', 'secret FILE_SECRET: wrong']]);
});
