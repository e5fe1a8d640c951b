import { expect, test } from '@jest/globals';
import type { AuditLog, FailedCallList } from '@parcelway/contracts/activity-api';
import type { ConsoleSession } from '@parcelway/contracts/console-api';
import type { KeyCreated } from '@parcelway/contracts/key-api';
import type { Merchant } from '@parcelway/harness/merchant';
import { expectRoute, routeById } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useConsole } from './use-console.ts';

/* What the keys of a merchant did, in the console. */

const { stage, signedIn } = useConsole();

/** Milliseconds within which the platform shows what was counted or recorded. */
const RECORDED_WITHIN_MS = 15_000;

/** A submission that is refused, once it is recorded. @returns its request id */
async function failedCall(owner: Merchant): Promise<string> {
  const requestId = `bad-${owner.identity.tenantId}-${Date.now()}`.slice(0, 64);
  const headers = { 'x-request-id': requestId };
  const { code } = await owner.client.call(routeById('submitForecast').path, { body: { po_number: 'PO-1' }, headers });
  expect(code).toBe('42201');
  const isRecorded = async () =>
    (await expectRoute<FailedCallList>(owner.client, 'listFailedCalls', { query: { request_id: requestId } })).requests.length === 1;
  await until(isRecorded, { within: RECORDED_WITHIN_MS, what: 'the failed call to be recorded' });
  return requestId;
}

test('failed calls are found by request id, and show the data of the response', async () => {
  const owner = await stage.operator.newMerchant();
  const requestId = await failedCall(owner);
  const { key_id } = await expectRoute<KeyCreated>(owner.client, 'createKey', { body: { description: 'Till' } });
  const at = await signedIn(owner);
  const { page } = at;
  await at.enter(page.getByRole('link', { name: 'Activity' }));
  await at.arrived('Activity');
  await at.enter(page.getByRole('link', { name: 'Failed calls' }));
  const row = page.getByRole('row', { name: /POST \/open\/v1\/forecasts/ });
  await row.getByText('42201').waitFor();
  await page.getByLabel('Key ID').fill(key_id);
  await page.keyboard.press('Enter');
  await page.getByText('No failed calls match these filters').waitFor();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await row.waitFor();
  await page.getByLabel('Code').selectOption('40401');
  await page.getByText('No failed calls match these filters').waitFor();
  await page.getByLabel('Code').selectOption('42201');
  await row.waitFor();
  await at.tabTo(page.getByLabel('Request ID'));
  await page.keyboard.type(requestId);
  await page.keyboard.press('Enter');
  await at.until(`location.hash.includes(${JSON.stringify(`request_id=${requestId}&code=42201`)})`);
  await at.enter(row.getByRole('link'));
  await at.arrived('Failed call');
  const data = page.getByRole('group', { name: 'data of the response' });
  expect(await data.innerText()).toContain('"rule": "required"');
  const main = page.getByRole('main');
  for (const text of [requestId, 'Field validation failed', '422']) await main.getByText(text).first().waitFor();
  await at.button('Copy Request ID').waitFor();
});

test('the audit log names a key that was revoked, and leads to what it changed', async () => {
  const owner = await stage.operator.newMerchant();
  const { key, key_id } = await expectRoute<KeyCreated>(owner.client, 'createKey', { body: { description: 'Office' } });
  const { po_number } = await owner.submit({ forecastType: 1 });
  const { token } = await expectRoute<ConsoleSession>(stage.platform.client(key), 'createConsoleSession');
  await expectRoute(stage.platform.client(token), 'cancelForecast', { path: { po_number } });
  await expectRoute(owner.client, 'revokeKey', { path: { key_id } });
  const isLogged = async () => {
    const { entries } = await expectRoute<AuditLog>(owner.client, 'listAuditLog', { query: { action: 'key.revoked' } });
    return entries.some(({ outcome }) => outcome === 'success');
  };
  await until(isLogged, { within: RECORDED_WITHIN_MS, what: 'the entry' });
  const at = await signedIn(owner, '#/activity/audit-log');
  const { page } = at;
  const row = page.getByRole('row', { name: /Key revoked/ });
  await row.getByText('Office').waitFor();
  await page
    .getByRole('row', { name: /Signed in to the console/ })
    .first()
    .waitFor();
  expect(await row.getByRole('link', { name: 'Office' }).getAttribute('href')).toBe('#/keys');
  await page.getByLabel('Day').fill('2020-01-31');
  await page.getByText('No entries match these filters').waitFor();
  await page.getByLabel('Day').fill('');
  await row.waitFor();
  await page.getByLabel('Action').selectOption('Parcel cancelled');
  await row.waitFor({ state: 'detached' });
  const cancelled = page.getByRole('row', { name: /Parcel cancelled/ });
  await cancelled.getByRole('cell', { name: new RegExp(`^Office\\s*${key_id}\\s*in the console$`) }).waitFor();
  await cancelled.getByRole('cell', { name: 'Done' }).waitFor();
  await cancelled.getByRole('link', { name: po_number }).click();
  await at.arrived(po_number);
});
