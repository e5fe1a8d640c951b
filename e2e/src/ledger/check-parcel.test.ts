import { expect, test } from '@jest/globals';
import type { ApiClient } from '@parcelway/harness/api-client';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { parcelViolations } from './check-parcel.ts';
import { Ledger } from './ledger.ts';

const entry = new Ledger().begin();
const { poNumber, weightKg } = entry;
Object.assign(entry, { labelUrl: 'https://x/label', photoId: 'photo', forecastNo: 'FC-1', weighingAcknowledged: true });

const shown = {
  forecast_no: 'FC-1',
  version: 1,
  corrections: [],
  history: [],
  items: [],
  marketplace_label: 'https://x/document',
  marketplace_label_version: 1,
  packing_slip: 'https://x/document',
  shipping_label: 'https://x/label',
  shipping_note: 'https://x/label',
  measurements: [{ weight_kg: weightKg, photos: [{ image_url: 'https://x/photo' }] }],
};

/** What is found of a forecast that merchant and warehouse are both shown like this. */
async function found(over: Partial<Record<keyof typeof shown, unknown>>): Promise<string[]> {
  const contents: Readonly<Record<string, Buffer>> = {
    '/document': Buffer.from('%PDF-1.4'),
    '/label': samplePdf(poNumber),
    '/photo': samplePng(poNumber),
  };
  const client = {
    baseUrl: 'https://x',
    call: async () => ({ code: '0', data: { ...shown, ...over } }),
    fetchBytes: async (url: string) => ({ status: 200, bytes: contents[new URL(url).pathname] }),
  } as unknown as ApiClient;
  return parcelViolations({ merchant: client, warehouse: client }, entry);
}

test('a parcel is as it was acknowledged', async () => expect(await found({})).toEqual([]));

test.each(['marketplace_label', 'packing_slip', 'shipping_label', 'shipping_note'] as const)('a lost %s is found', async (name) =>
  expect(await found({ [name]: null })).toEqual([`forecast ${poNumber} has lost its ${name}`]),
);

test.each([0, 2])('%i photos instead of one are found', async (count) => {
  const photos = Array.from({ length: count }, () => ({ image_url: 'https://x/photo' }));
  expect(await found({ measurements: [{ weight_kg: weightKg, photos }] })).toEqual([
    `forecast ${poNumber} was weighed with one photo and has ${count}`,
  ]);
});
