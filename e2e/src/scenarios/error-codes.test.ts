import { expect, test } from '@jest/globals';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { fillDisk } from '@parcelway/harness/full-disk';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import { type ErrorCode, errorCatalogue } from '@parcelway/kernel/error-codes';
import { until } from '@parcelway/kernel/testing/until';
import { useStage, useStageWithMerchant } from '../use-stage.ts';

/* Error codes that only a whole platform returns: for a defect, and for failed storage. Stores of distributed mode fail in e2e/src/faults. */

const { stage, merchant } = useStageWithMerchant();
/** A platform with a defect planted before each new forecast. */
const broken = useStage({ FAILPOINT: 'forecast.before-insert:throw', LOG_LEVEL: 'silent' });

/** What `work` responds while the disk is full. */
async function withoutStorage(work: () => Promise<ApiResponse<unknown>>): Promise<ApiResponse<unknown>> {
  const heal = fillDisk(stage.platform.pid);
  try {
    return await work();
  } finally {
    heal();
  }
}

const nothing = null;

interface Case {
  readonly provoke: () => Promise<ApiResponse<unknown>>;
  /** What `data` has to be. */
  readonly data: unknown;
  /** Headers that have to be there. */
  readonly headers?: readonly string[];
}

const cases: Readonly<Partial<Record<ErrorCode, Case>>> = {
  '42207': {
    provoke: () => withoutStorage(() => merchant.upload('full.pdf', samplePdf(newPoNumber()))),
    data: nothing,
    headers: ['retry-after'],
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
      return withoutStorage(() => merchant.submitBody(body));
    },
    data: nothing,
    headers: ['retry-after'],
  },
};

test.each(Object.entries(cases))('%s', async (code, { provoke, data, headers = [] }) => {
  const response = await provoke();
  expect({ code: response.code, status: response.status }).toEqual({ code, status: errorCatalogue[code as ErrorCode].http });
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
  expect((await withoutStorage(() => merchant.upload('again.pdf', content))).code).toBe('42207');
  const stored = await merchant.upload('again.pdf', content);
  expect(stored.data).toMatchObject({ deduplicated: false, size_byte: content.length });
  expect((await merchant.client.fetchBytes(stored.data.url)).bytes.equals(content)).toBe(true);
  const body = await merchant.body();
  expect((await withoutStorage(() => merchant.submitBody(body))).code).toBe('50301');
  expect((await merchant.client.call(`/open/v1/forecasts/${String(body.po_number)}`)).code).toBe('40401');
  const accepted = await merchant.submitBody(body);
  expect(accepted.code).toBe('0');
  expect(accepted.headers['idempotent-replayed']).toBeUndefined();
});
