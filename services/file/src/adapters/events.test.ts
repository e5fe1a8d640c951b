import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { EndedFiles, PhotoLinks } from '../retention/decide-files.ts';
import { eventOf } from '../testing/file-service.ts';
import { retentionHandlers, useHandlers } from './events.ts';

const TOKENS = ['a', 'b'].map((letter) => letter.repeat(22)) as [string, string];
const photoOf = (token: string) => ({
  id: 1,
  image_path: 'photo/1',
  image_url: `https://x.example/photos/${token}.jpg`,
  file_size: 1,
  upload_time: '2026-11-26T08:00:00Z',
});
const expired = { forecast_no: 'FC1', po_number: 'PO', expired_at: '2026-11-26T08:00:00Z', files: ['f'], photos: [TOKENS[0]] };
const reported = {
  forecast_no: 'FC1',
  po_number: 'PO',
  warehouse_code: 'W',
  event_id: 'e',
  express_no: null,
  occurred_at: '2026-11-26T08:00:00Z',
};

function world() {
  const ended: EndedFiles[] = [];
  const noted: PhotoLinks[] = [];
  const retention = {
    endFiles: async (files: EndedFiles) => void ended.push(files),
    notePhotos: async (links: PhotoLinks) => void noted.push(links),
  };
  const handlers = retentionHandlers(retention, new ManualClock(5), (tenantId) => tenantId === 'tnt_gone');
  return { handlers, ended, noted };
}

const report = { warehouseCode: 'W', eventId: 'e' };

test('files end with their forecast, or before it; nothing is remembered of an erased tenant', async () => {
  const { handlers, ended } = world();
  for (const tenantId of ['tnt_1', 'tnt_gone']) await handlers['forecast.expired'](eventOf('forecast.expired', expired, tenantId));
  await handlers['forecast.files_expired'](eventOf('forecast.files_expired', expired, 'tnt_1'));
  const named = { forecastNo: 'FC1', files: ['f'], photos: [TOKENS[0]] };
  expect(ended).toEqual([
    { ...named, tenantId: 'tnt_1', forecast: 'deleted' },
    { ...named, tenantId: 'tnt_gone', forecast: 'erased' },
    { ...named, tenantId: 'tnt_1', forecast: 'kept' },
  ]);
});

test('photos are noted as they are reported, and those of an erased tenant end', async () => {
  const { handlers, ended, noted } = world();
  const exception = { ...reported, reason: 'damaged', text: null, photos: [...TOKENS, TOKENS[0]].map(photoOf) } as const;
  for (const tenantId of ['tnt_1', 'tnt_gone']) await handlers['warehouse.exception'](eventOf('warehouse.exception', exception, tenantId));
  const photographed = { ...reported, photo: photoOf(TOKENS[1]), image_type: 1, image_order: 1 } as const;
  await handlers['warehouse.photographed'](eventOf('warehouse.photographed', photographed, 'tnt_1'));
  await handlers['warehouse.exception'](eventOf('warehouse.exception', { ...exception, photos: [] }, 'tnt_1'));
  expect(noted).toEqual([
    { tenantId: 'tnt_1', forecastNo: 'FC1', photos: TOKENS, report },
    { tenantId: 'tnt_1', forecastNo: 'FC1', photos: [TOKENS[1]], report },
  ]);
  expect(ended).toEqual([{ tenantId: 'tnt_gone', forecastNo: 'FC1', photos: TOKENS, files: [], forecast: 'erased' }]);
});

test('photos of a refused report are taken from the forecast; a refusal without photos changes nothing', async () => {
  const refused: [PhotoLinks, number][] = [];
  const nothing = async () => undefined;
  const noteRefused = async (links: PhotoLinks, now: number) => void refused.push([links, now]);
  const handlers = useHandlers({ noteCancelled: nothing, noteImages: nothing, noteRefused }, new ManualClock(5));
  const data = { forecast_no: 'FC1', po_number: 'PO', warehouse_code: 'W', event_id: 'e', cancelled_at: '2026-11-26T08:00:00Z' };
  for (const photos of [[], [...TOKENS]])
    await handlers['forecast.report_refused'](eventOf('forecast.report_refused', { ...data, photos }, 'tnt_1'));
  expect(refused).toEqual([[{ tenantId: 'tnt_1', forecastNo: 'FC1', photos: TOKENS, report }, 5]]);
});
