import { expect, test } from '@jest/globals';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { newPoNumber } from '@parcelway/harness/merchant';
import { rawRequest } from '@parcelway/harness/raw-request';
import { samplePdf } from '@parcelway/harness/sample-data';
import { type ErrorCode, errorCatalogue, errorCodes } from '@parcelway/kernel/error-codes';
import { until } from '@parcelway/kernel/testing/until';
import { FormData } from 'undici';
import { useStage, useStageWithMerchant } from '../use-stage.ts';

/* Every code of the catalogue, provoked from outside. A new code without a case fails the first test. */

const { stage, merchant } = useStageWithMerchant();
/** A platform with a defect planted before each new forecast. */
const broken = useStage({ FAILPOINT: 'forecast.before-insert:throw', LOG_LEVEL: 'silent' });

const json = { 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = json): Promise<ApiResponse<unknown>> =>
  merchant.client.call('/open/v1/forecasts', { method: 'POST', body, headers });

/** What `work` responses while `what` cannot be stored. */
async function withoutStorage(what: 'objects' | 'records', work: () => Promise<ApiResponse<unknown>>): Promise<ApiResponse<unknown>> {
  const heal = stage.platform.breakStorage(what);
  try {
    return await work();
  } finally {
    heal();
  }
}

async function cancelledTooLate(): Promise<ApiResponse<unknown>> {
  const { po_number } = await merchant.submit({ forecastType: 1 });
  await merchant.simulate({ po_number, step: 'arrive' });
  await merchant.untilStatus(po_number, 2);
  return merchant.cancel(po_number);
}

async function plainHttp(): Promise<ApiResponse<unknown>> {
  const raw = await rawRequest({ ...stage.target, ca: null }, 'GET /open/v1/warehouses HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return { ...(JSON.parse(raw.body) as ApiResponse<unknown>), status: raw.status, headers: raw.headers, text: raw.body };
}

const nothing = null;
const anObject = expect.any(Object);

interface Case {
  readonly provoke: () => Promise<ApiResponse<unknown>>;
  /** What `data` has to be. */
  readonly data: unknown;
  /** Headers that have to be there. */
  readonly headers?: readonly string[];
}

const cases: Readonly<Record<ErrorCode, Case>> = {
  '40001': { provoke: () => post('{"po_number":'), data: nothing },
  '40002': { provoke: plainHttp, data: nothing },
  '40003': { provoke: () => stage.platform.client('wrong').call('/open/v1/warehouses'), data: nothing },
  '40101': { provoke: () => stage.platform.client(null).call('/open/v1/warehouses'), data: nothing },
  '40301': { provoke: () => stage.clerk.client.call('/open/v1/warehouses'), data: nothing },
  '40302': {
    provoke: async () => {
      const suspended = await stage.operator.newMerchant();
      await stage.operator.suspend(suspended.identity.tenantId);
      return suspended.client.call('/open/v1/warehouses');
    },
    data: nothing,
  },
  '40401': { provoke: () => merchant.client.call('/open/v1/forecasts/tracking?po_number=unknown'), data: nothing },
  '40402': { provoke: () => merchant.client.call('/open/v2/forecasts'), data: nothing },
  '40403': { provoke: () => merchant.client.call('/open/v1/webhook-endpoints/unknown'), data: nothing },
  '40501': { provoke: () => merchant.client.call('/open/v1/forecasts', { method: 'DELETE' }), data: nothing, headers: ['allow'] },
  '40901': {
    provoke: async () => {
      const poNumber = newPoNumber();
      await merchant.submit({ poNumber, forecastType: 1 });
      return merchant.submitBody(await merchant.body({ poNumber, forecastType: 1, items: 2 }));
    },
    data: { forecast_no: expect.any(String), fields: ['items[1]'] },
  },
  '40902': { provoke: cancelledTooLate, data: anObject },
  '41201': {
    provoke: async () => {
      const { po_number } = await merchant.submit({ forecastType: 1 });
      const call = { method: 'PATCH', headers: { 'if-match': '"2"' }, body: { due_date: '2030-01-01' } } as const;
      return merchant.client.call(`/open/v1/forecasts/${po_number}`, call);
    },
    data: { version: 1 },
  },
  '41301': { provoke: () => post(`{"po_number":"${'x'.repeat(5 * 1024 * 1024)}"}`), data: nothing },
  '41501': { provoke: () => post('<forecast/>', { 'content-type': 'application/xml' }), data: nothing },
  '42201': {
    provoke: () => post('{}'),
    data: { errors: expect.arrayContaining([{ field: 'po_number', rule: 'required', message: expect.any(String) }]) },
  },
  '42202': {
    provoke: async () => {
      const trackingNumber = newPoNumber('TRK');
      await merchant.submit({ trackingNumber });
      return merchant.submitBody(await merchant.body({ trackingNumber }));
    },
    data: anObject,
  },
  '42203': {
    provoke: async () => merchant.submitBody({ ...(await merchant.body()), shipping_label: 'https://example.com/label.pdf' }),
    data: anObject,
  },
  '42204': { provoke: () => merchant.client.call('/open/v1/files/pdf', { method: 'POST', body: new FormData() }), data: nothing },
  '42205': { provoke: () => merchant.upload('label.pdf', Buffer.from('not a pdf')), data: anObject },
  '42206': {
    provoke: () => merchant.upload('label.pdf', Buffer.concat([samplePdf('large'), Buffer.alloc(10_485_760)])),
    data: nothing,
  },
  '42207': {
    provoke: () => withoutStorage('objects', () => merchant.upload('full.pdf', samplePdf(newPoNumber()))),
    data: nothing,
    headers: ['retry-after'],
  },
  '42901': {
    provoke: async () => {
      const limited = await stage.operator.withKey(merchant, { rate_limit: { per_second: 0.01, burst: 1 } });
      await limited.client.call('/open/v1/warehouses');
      return limited.client.call('/open/v1/warehouses');
    },
    data: anObject,
    headers: ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  },
  '50000': {
    provoke: async () => {
      const unlucky = await broken.operator.newMerchant();
      return unlucky.submitBody(await unlucky.body({ forecastType: 1 }));
    },
    data: nothing,
  },
  '50001': {
    provoke: async () => {
      const { po_number } = await merchant.submit({ trackingNumber: newPoNumber('SIMDOWN') });
      await merchant.simulate({ po_number, step: 'dispatch' });
      return until(async () => {
        const response = await merchant.client.call(`/open/v1/forecasts/tracking?po_number=${po_number}`);
        return response.code === '0' ? undefined : response;
      });
    },
    data: nothing,
    headers: ['retry-after'],
  },
  '50301': {
    provoke: async () => {
      const body = await merchant.body();
      return withoutStorage('records', () => merchant.submitBody(body));
    },
    data: nothing,
    headers: ['retry-after'],
  },
};

test('every code of the catalogue has a case, and every case a code', () => {
  expect(Object.keys(cases).sort()).toEqual([...errorCodes]);
});

test.each(errorCodes.map((code) => [code]))('%s', async (code) => {
  const { provoke, data, headers = [] } = cases[code];
  const response = await provoke();
  expect({ code: response.code, status: response.status }).toEqual({ code, status: errorCatalogue[code].http });
  const envelope = JSON.parse(response.text) as Record<string, unknown>;
  expect(Object.keys(envelope).sort()).toEqual(['code', 'data', 'message']);
  expect(envelope.message).toEqual(expect.stringMatching(/\S/));
  expect(envelope.data).toEqual(data);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.headers['x-request-id']).toMatch(/\S/);
  expect(response.headers['x-content-type-options']).toBe('nosniff');
  for (const name of headers) expect([name, response.headers[name]]).toEqual([name, expect.stringMatching(/\S/)]);
  // Nothing of the inside shows.
  expect(response.text).not.toMatch(/node:|\.ts:|at \w+ \(|SQLITE|failpoint|\/work\//i);
});

test('what failed on a full disk succeeds when it is tried again', async () => {
  const content = samplePdf(newPoNumber('again'));
  expect((await withoutStorage('objects', () => merchant.upload('again.pdf', content))).code).toBe('42207');
  const stored = await merchant.upload('again.pdf', content);
  expect(stored.data).toMatchObject({ deduplicated: false, size_byte: content.length });
  expect((await merchant.client.fetchBytes(stored.data.url)).bytes.equals(content)).toBe(true);
  const body = await merchant.body();
  expect((await withoutStorage('records', () => merchant.submitBody(body))).code).toBe('50301');
  expect((await merchant.client.call(`/open/v1/forecasts/${String(body.po_number)}`)).code).toBe('40401');
  const accepted = await merchant.submitBody(body);
  expect(accepted.code).toBe('0');
  expect(accepted.headers['idempotent-replayed']).toBeUndefined();
});

test('the specification’s own codes are in the catalogue', () => {
  const specified = ['40101', '40003', '40301', '40401', '42201', '42204', '42205', '42206', '42207', '50001'];
  expect(errorCodes).toEqual(expect.arrayContaining(specified));
});
