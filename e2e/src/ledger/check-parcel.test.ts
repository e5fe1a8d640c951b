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
  status: 3,
  history: [{ status: 1 }, { status: 3 }],
  items: [],
  marketplace_label: 'https://x/document',
  marketplace_label_version: 1,
  packing_slip: 'https://x/document',
  shipping_label: 'https://x/label',
  shipping_note: 'https://x/label',
  measurements: [{ weight_kg: weightKg, photos: [{ image_url: 'https://x/photo' }] }],
};

/** Violations of a forecast that merchant and warehouse both see as {@link shown}, changed by `over`. */
async function found(over: Partial<Record<keyof typeof shown, unknown>>): Promise<string[]> {
  const contents: Readonly<Record<string, Buffer>> = {
    '/longer': Buffer.concat([samplePdf(poNumber), Buffer.from('.')]),
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

test('an intact parcel has no violations', async () => expect(await found({})).toEqual([]));

test.each(['marketplace_label', 'packing_slip', 'shipping_label', 'shipping_note'] as const)('a lost %s is found', async (name) =>
  expect(await found({ [name]: null })).toEqual([`forecast ${poNumber} has lost its ${name}`]),
);

test('a changed file is found', async () =>
  expect(await found({ shipping_label: 'https://x/longer' })).toEqual([expect.stringContaining('/longer, which opens with 200')]));
