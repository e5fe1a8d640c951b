import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData } from '@parcelway/contracts/domain-events';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import { isFileUrlOf } from '@parcelway/contracts/file-receipt';
import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { FileServiceUnderTest } from './testing/file-service.ts';

const FORECAST_NO = 'FC261121K7Q0Z4M2XT';
const ACCEPTED: DomainEventData<'forecast.accepted'> = {
  forecast_no: FORECAST_NO,
  po_number: 'PO-1001',
  forecast_id: 1,
  forecast_type: 1,
  warehouse_code: 'SZ-01',
  tracking_numbers: [],
  accepted_at: '2026-11-21T08:00:00+00:00',
  version: 1,
  due_date: '2026-12-01',
  carton_count: 2,
  item_count: 1,
  items: [{ sku_code: 'TSHIRT-M', product_name_en: 'Cotton T-shirt', product_name_cn: '纯棉T恤', forecast_quantity: 3 }],
};

function accepted(changes: Partial<DomainEventData<'forecast.accepted'>> = {}): DomainEvent {
  const data = { ...ACCEPTED, ...changes };
  const time = Date.parse(data.accepted_at);
  const envelope = { publisher: 'forecast', tenantId: 'tnt_1', environment: 'sandbox', subject: data.forecast_no, time } as const;
  return createDomainEvent({ ...envelope, type: 'forecast.accepted', data });
}

let service: FileServiceUnderTest;
const published: DomainEvent<'documents.generated'>[] = [];
beforeAll(async () => {
  service = await FileServiceUnderTest.open();
  await service.bus.subscribe('test', { 'documents.generated': async (event) => void published.push(event) });
});
afterAll(() => service.close());

const pageCount = (pdf: string): number => Number(/\/Count (\d+)(?![\s\S]*\/Count)/.exec(pdf)?.[1]);

describe('an accepted forecast', () => {
  let generated: DomainEventData<'documents.generated'>;
  beforeAll(async () => {
    await service.bus.publish([encodeEvent(accepted())]);
    await until(async () => published.length > 0);
    generated = (published[0] as DomainEvent<'documents.generated'>).data;
  });

  test('gets documents that open by their URLs', async () => {
    expect(generated).toMatchObject({ forecast_no: FORECAST_NO, po_number: 'PO-1001', version: 1 });
    const label = await service.open(generated.marketplace_label);
    expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(label.headers.get('content-disposition')).toContain(`product-label-${FORECAST_NO}-v1.pdf`);
    const bytes = Buffer.from(await label.arrayBuffer()).toString('latin1');
    expect(bytes).toMatch(/^%PDF-1\.\d[\s\S]*%%EOF\n$/);
    expect([Number(label.headers.get('content-length')), pageCount(bytes)]).toEqual([bytes.length, 2]);
    const slip = await service.open(generated.packing_slip);
    expect(slip.headers.get('content-disposition')).toContain(`packing-slip-${FORECAST_NO}-v1.pdf`);
    expect(Buffer.from(await slip.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-1\.\d[\s\S]*%%EOF\n$/);
  });

  test('has a label that repeats each item by its quantity', async () => {
    const copies = await service.open(`${generated.marketplace_label}?copies=quantity`);
    const bytes = Buffer.from(await copies.arrayBuffer()).toString('latin1');
    expect(pageCount(bytes)).toBe(4);
  });

  test('has documents that can be read in ranges', async () => {
    const whole = Buffer.from(await (await service.open(generated.packing_slip)).arrayBuffer());
    const part = await service.open(generated.packing_slip, { headers: { Range: 'bytes=5-14' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-14/${whole.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(5, 15));
    const end = await service.open(`${generated.marketplace_label}?copies=quantity`, { headers: { Range: 'bytes=-6' } });
    expect(Buffer.from(await end.arrayBuffer()).toString('latin1')).toBe('%%EOF\n');
    const url = `${generated.marketplace_label}?copies=quantity`;
    const copies = Buffer.from(await (await service.open(url)).arrayBuffer());
    const size = (await opened(generated.marketplace_label)).length;
    for (const [first, last] of [
      [size - 5, size + 5],
      [size + 1, size + 9],
      [0, size - 1],
      [3, 9],
      [size, copies.length - 1],
    ] as const) {
      const asked = await service.open(url, { headers: { Range: `bytes=${first}-${last}` } });
      expect(asked.headers.get('content-range')).toBe(`bytes ${first}-${last}/${copies.length}`);
      expect(Buffer.from(await asked.arrayBuffer()).equals(copies.subarray(first, last + 1))).toBe(true);
    }
    const headOfCopies = await service.open(url, { method: 'HEAD' });
    expect(headOfCopies.headers.get('content-length')).toBe(String(copies.length));
    const head = await service.open(generated.packing_slip, { method: 'HEAD' });
    expect([head.headers.get('content-length'), (await head.arrayBuffer()).byteLength]).toEqual([String(whole.length), 0]);
  });

  test.each(['all', '', '2'])('refuses copies=%s, and opens a packing slip whatever the query says', async (copies) => {
    const refused = await service.open(`${generated.marketplace_label}?copies=${copies}`);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: '42201', data: { errors: [{ field: 'copies', rule: 'enum' }] } });
    const slip = await service.open(`${generated.packing_slip}?copies=${copies}`, { method: 'HEAD' });
    expect(slip.status).toBe(200);
  });

  test('is published once, however often its event comes', async () => {
    const contents = await service.contentCount();
    await service.bus.publish([encodeEvent(accepted()), encodeEvent(accepted({ forecast_no: 'FC-OTHER' }))]);
    await until(async () => published.some(({ subject }) => subject === 'FC-OTHER'));
    await until(async () => (await service.bus.lag('file', topics.forecast)) === 0);
    expect(published.filter(({ subject }) => subject === FORECAST_NO)).toHaveLength(1);
    expect(await service.contentCount()).toBe(contents + 1);
  });

  test('has URLs that no submission takes for an uploaded label', () => {
    for (const url of [generated.marketplace_label, generated.packing_slip]) {
      expect(isFileUrlOf(service.fileSecret, { tenantId: 'tnt_1', environment: 'sandbox' }, url)).toBe(false);
    }
  });
});

const opened = async (url: string): Promise<Buffer> => Buffer.from(await (await service.open(url)).arrayBuffer());
const generatedFor = (forecastNo: string, version = 1) =>
  published.find(({ data }) => data.forecast_no === forecastNo && data.version === version)?.data;

describe('a corrected forecast', () => {
  test('gets new documents; the former ones stay as they were', async () => {
    await service.bus.publish([encodeEvent(accepted({ forecast_no: 'FC-C' }))]);
    await until(async () => generatedFor('FC-C') !== undefined);
    const former = generatedFor('FC-C')?.marketplace_label as string;
    const before = await opened(former);
    const corrected = {
      ...ACCEPTED,
      forecast_no: 'FC-C',
      version: 2,
      status: 1,
      changed: ['items'],
      previous_warehouse_code: 'SZ-01',
      corrected_at: '2026-11-21T09:00:00+00:00',
    };
    const envelope = { publisher: 'forecast', tenantId: 'tnt_1', environment: 'sandbox', subject: 'FC-C', time: 1 } as const;
    await service.bus.publish([encodeEvent(createDomainEvent({ ...envelope, type: 'forecast.corrected', data: corrected }))]);
    await until(async () => generatedFor('FC-C', 2) !== undefined);
    expect(generatedFor('FC-C', 2)?.marketplace_label).not.toBe(former);
    expect((await opened(former)).equals(before)).toBe(true);
    const current = generatedFor('FC-C', 2);
    const link = async (url: string | undefined) => (await service.open(url, { method: 'HEAD' })).headers.get('link');
    expect(await link(former)).toBe(`<${current?.marketplace_label}>; rel="successor-version"`);
    expect(await link(generatedFor('FC-C')?.packing_slip)).toBe(`<${current?.packing_slip}>; rel="successor-version"`);
    expect(await link(current?.marketplace_label)).toBeNull();
  });
});

describe('a forecast', () => {
  test('whose label would have too many copies has a label without them', async () => {
    const items = [{ sku_code: 'MANY', product_name_en: 'Button', forecast_quantity: 500_000 }];
    await service.bus.publish([encodeEvent(accepted({ forecast_no: 'FC-MANY', items }))]);
    await until(async () => generatedFor('FC-MANY') !== undefined);
    const url = generatedFor('FC-MANY')?.marketplace_label as string;
    expect((await service.open(url, { method: 'HEAD' })).status).toBe(200);
    const refused = await service.open(`${url}?copies=quantity`);
    expect(await refused.json()).toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'copies', rule: 'maximum', message: expect.stringContaining('more than 10000 pages') }] },
    });
  });

  test('that cannot be rendered holds up no other, and is replaced by its correction', async () => {
    // More than a QR code holds: no forecast has it, but the schema of the event does not say so.
    const broken = accepted({ forecast_no: 'FC-BROKEN', po_number: 'x'.repeat(10_000) });
    await service.bus.publish([encodeEvent(broken), encodeEvent(accepted({ forecast_no: 'FC-NEXT' }))]);
    await until(async () => generatedFor('FC-NEXT') !== undefined);
    expect(generatedFor('FC-BROKEN')).toBeUndefined();
    expect(await service.bus.deadLetters(topics.forecast, 10)).toEqual([]);
    await service.bus.publish([encodeEvent(accepted({ forecast_no: 'FC-BROKEN', version: 2 }))]);
    await until(async () => generatedFor('FC-BROKEN', 2) !== undefined);
  });
});
