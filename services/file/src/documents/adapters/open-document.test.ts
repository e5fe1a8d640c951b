import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { documentUrl } from '@parcelway/contracts/document-url';
import type { ForecastContent } from '@parcelway/contracts/domain-events';
import { BASE_URL, FileServiceUnderTest } from '../../testing/file-service.ts';

const content: ForecastContent = {
  forecast_id: 1,
  po_number: 'PO-1001',
  warehouse_code: 'SZ-01',
  version: 1,
  versioned_at: '2026-11-21T08:00:00+00:00',
  due_date: '2026-12-01',
  carton_count: 2,
  items: [{ sku_code: 'TSHIRT-M', product_name_en: 'Cotton T-shirt', product_name_cn: '纯棉T恤', forecast_quantity: 3 }],
};
/** What the forecast service knows, by forecast_no. */
const forecasts = new Map<string, Partial<ForecastContent>>([
  ['FC-A', {}],
  ['FC-MANY', { items: [{ sku_code: 'MANY', product_name_en: 'Button', forecast_quantity: 500_000 }] }],
]);

let forecastService: Server;
let service: FileServiceUnderTest;
let secret: string;
beforeAll(async () => {
  forecastService = createServer(({ url = '' }, res) => {
    const known = forecasts.get(new URL(url, 'http://forecast').searchParams.get('forecast_no') ?? '');
    res.statusCode = known ? 200 : 404;
    res.setHeader('Content-Type', 'application/json');
    const body = known ? { code: '0', message: 'success', data: { ...content, ...known } } : { code: '40403', message: 'none', data: null };
    res.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(forecastService, 'listening');
  const forecastOrigin = `http://127.0.0.1:${(forecastService.address() as AddressInfo).port}`;
  service = await FileServiceUnderTest.open({ forecastOrigin });
  secret = service.fileSecret;
});
afterAll(async () => {
  await service.close();
  forecastService.close();
});

const urlOf = (kind: 'label' | 'slip', forecastNo = 'FC-A', version = 1): string =>
  documentUrl(secret, BASE_URL, 'sandbox', { kind, tenantId: 'tnt_1', forecastNo, version });
const opened = async (url: string): Promise<Buffer> => Buffer.from(await (await service.open(url)).arrayBuffer());
const pageCount = (pdf: Buffer): number => Number(/\/Count (\d+)(?![\s\S]*\/Count)/.exec(pdf.toString('latin1'))?.[1]);

describe('a document', () => {
  test('is rendered when it is opened, and has the same bytes ever after', async () => {
    const label = await service.open(urlOf('label'));
    expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(label.headers.get('content-disposition')).toContain('product-label-FC-A-v1.pdf');
    const bytes = Buffer.from(await label.arrayBuffer());
    expect(bytes.toString('latin1')).toMatch(/^%PDF-1\.\d[\s\S]*%%EOF\n$/);
    expect([Number(label.headers.get('content-length')), pageCount(bytes)]).toEqual([bytes.length, 2]);
    forecasts.set('FC-A', { version: 2, po_number: 'PO-2002' });
    expect((await opened(urlOf('label'))).equals(bytes)).toBe(true);
    const slip = await service.open(urlOf('slip'));
    expect(slip.headers.get('content-disposition')).toContain('packing-slip-FC-A-v1.pdf');
    expect(await service.contentCount()).toBe(1);
  });

  test('that nobody signed, or of a forecast that is not there, is not found', async () => {
    for (const url of [urlOf('label').replace('label.', 'slip.'), urlOf('label', 'FC-NONE')])
      expect(await (await service.open(url)).json()).toMatchObject({ code: '40403' });
  });

  test('can be read in ranges, copies too', async () => {
    const url = `${urlOf('label')}?copies=quantity`;
    const response = await service.open(url);
    expect(response.headers.get('content-disposition')).toContain('product-label-FC-A-v1-copies.pdf');
    const copies = Buffer.from(await response.arrayBuffer());
    expect(pageCount(copies)).toBe(4);
    const size = (await opened(urlOf('label'))).length;
    for (const [first, last] of [
      [size - 5, size + 5],
      [size + 1, size + 9],
      [0, size - 1],
      [3, 9],
      [size, copies.length - 1],
    ] as const) {
      const asked = await service.open(url, { headers: { Range: `bytes=${first}-${last}` } });
      expect([asked.status, asked.headers.get('content-range')]).toEqual([206, `bytes ${first}-${last}/${copies.length}`]);
      expect(Buffer.from(await asked.arrayBuffer()).equals(copies.subarray(first, last + 1))).toBe(true);
    }
    const head = await service.open(url, { method: 'HEAD' });
    expect([head.headers.get('content-length'), (await head.arrayBuffer()).byteLength]).toEqual([String(copies.length), 0]);
    const slip = await opened(urlOf('slip'));
    const part = await service.open(urlOf('slip'), { headers: { Range: 'bytes=5-14' } });
    expect(Buffer.from(await part.arrayBuffer())).toEqual(slip.subarray(5, 15));
  });

  test.each(['all', '', '2'])('is refused with copies=%s; a packing slip opens whatever the query says', async (copies) => {
    const refused = await service.open(`${urlOf('label')}?copies=${copies}`);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: '42201', data: { errors: [{ field: 'copies', rule: 'enum' }] } });
    expect((await service.open(`${urlOf('slip')}?copies=${copies}`, { method: 'HEAD' })).status).toBe(200);
  });

  test('has no copies when these would have too many pages', async () => {
    expect((await service.open(urlOf('label', 'FC-MANY'), { method: 'HEAD' })).status).toBe(200);
    const refused = await service.open(`${urlOf('label', 'FC-MANY')}?copies=quantity`);
    expect(await refused.json()).toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'copies', rule: 'maximum', message: expect.stringContaining('more than 10000 pages') }] },
    });
  });
});
