import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import { readFileUrl } from '@parcelway/contracts/file-receipt';
import { eventContent } from '@parcelway/contracts/testing/event-content';
import { isoInstant, ManualClock, systemClock } from '@parcelway/kernel/clock';
import { until } from '@parcelway/kernel/testing/until';
import { FileServiceUnderTest, pdf, tenant } from '../../testing/file-service.ts';

// From now on: what signs the requests has a clock of its own.
const clock = new ManualClock(Math.floor(systemClock.now() / 1000) * 1000 + 1);
let service: FileServiceUnderTest;
beforeAll(async () => {
  service = await FileServiceUnderTest.open({ clock });
});
afterAll(() => service.close());

const HOUR_MS = 3_600_000;
let seed = 100;
function newPdf(): Buffer {
  seed += 1;
  return pdf(2000, seed);
}
const open = async (url: unknown) => {
  const response = await service.open(url);
  const body = await response.text();
  return { status: response.status, cache: response.headers.get('cache-control'), message: body.startsWith('{') ? body : '' };
};
const upload = (seconds: string, content = newPdf()) =>
  service.uploadPdf(
    [
      { field: 'url_expires_in', content: seconds },
      { name: 'a.pdf', content },
    ],
    'tnt_1',
  );

describe('a URL that expires', () => {
  test('opens the file for that long, whether the field is before the file or behind it', async () => {
    const content = newPdf();
    const before = (await upload('3600', content)).data;
    const behind = (
      await service.uploadPdf(
        [
          { name: 'a.pdf', content },
          { field: 'url_expires_in', content: '3600' },
        ],
        'tnt_1',
      )
    ).data;
    const lasting = (await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_1')).data;
    expect([before['attachment_id'], before['url']]).toEqual([behind['attachment_id'], behind['url']]);
    expect([before['url_expire_time'], lasting['url_expire_time']]).toEqual([isoInstant(clock.now() + HOUR_MS + 999), null]);
    expect(await open(before['url'])).toMatchObject({ status: 200, cache: 'private, max-age=3600' });
    clock.advance(HOUR_MS - 1);
    expect(await open(before['url'])).toMatchObject({ status: 200, cache: 'private, max-age=1' });
    clock.advance(1000);
    expect(await open(before['url'])).toMatchObject({
      status: 404,
      message: expect.stringMatching(/40403.*The URL of the file has expired/),
    });
    expect(await open(String(before['url']).replace(/~[0-9a-z]+/, '~zzzzzz'))).toMatchObject({ status: 404 });
    expect(await open(String(before['url']).replace(/~[0-9a-z]+/, ''))).toMatchObject({ status: 404 });
    expect((await open(lasting['url'])).status).toBe(200);
    // It is still a receipt: the tenant's forecasts may name it.
    const owner = { tenantId: 'tnt_1', environment: 'sandbox' } as const;
    expect(readFileUrl(service.fileSecret, owner, String(before['url']))).toBeDefined();
  });

  test.each(['3599', '31536001', 'soon', '', '-1', '3600.5', '1e9'])(
    'for %j seconds is refused, and nothing is stored',
    async (seconds) => {
      const content = newPdf();
      expect(await upload(seconds, content)).toMatchObject({
        status: 422,
        code: '42201',
        data: { errors: [{ field: 'url_expires_in', rule: 'range' }] },
      });
      expect((await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_1')).data['deduplicated']).toBe(false);
    },
  );

  test('is made of a file again and again', async () => {
    const { data } = await upload('3600');
    const path = `/open/v1/files/${data['attachment_id']}/url`;
    const post = (body?: object) => service.call('POST', path, tenant('tnt_1'), body);
    const year = (await post({ expires_in: 31_536_000 })).data;
    expect(year).toEqual({
      attachment_id: data['attachment_id'],
      url: expect.any(String),
      expire_time: isoInstant(Math.ceil((clock.now() + 8760 * HOUR_MS) / 1000) * 1000),
    });
    const lasting = (await post()).data;
    expect(lasting['expire_time']).toBeNull();
    clock.advance(2 * HOUR_MS);
    const opened = await Promise.all([data['url'], year['url'], lasting['url']].map(open));
    expect(opened.map(({ status }) => status)).toEqual([404, 200, 200]);
    for (const body of [{ expires_in: 60 }, { expires_in: '3600' }]) expect((await post(body)).code).toBe('42201');
  });

  test('counts as a use of its file', async () => {
    const { data } = await upload('3600');
    const at = '2026-11-21T08:00:00.000+00:00';
    const accepted = {
      forecast_no: 'F1',
      po_number: 'PO',
      forecast_id: 1,
      forecast_type: 2,
      warehouse_code: 'W',
      tracking_numbers: [],
      accepted_at: at,
      ...eventContent,
      shipping_note: String(data['url']),
    };
    const envelope = { publisher: 'forecast', tenantId: 'tnt_1', environment: 'sandbox', subject: 'F1', time: Date.parse(at) } as const;
    await service.bus.publish([encodeEvent(createDomainEvent({ ...envelope, type: 'forecast.accepted', data: accepted }))]);
    const read = () => service.call('GET', `/open/v1/files/${data['attachment_id']}`, tenant('tnt_1'));
    await until(async () => (await read()).data['used_by_count'] === 1, { what: 'the use to be known' });
    expect((await read()).data['used_by']).toEqual([{ po_number: 'PO', forecast_no: 'F1', fields: ['shipping_note'] }]);
  });
});

test('after a change of the secret, URLs of before open the same file, and its number stays', async () => {
  const content = newPdf();
  const [lasting, ending] = [(await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_1')).data, (await upload('3600', content)).data];
  await service.stop();
  const path = join(service.dataDirectory, 'installation.json');
  const { fileSecret, ...kept } = JSON.parse(readFileSync(path, 'utf8')) as { fileSecret: string };
  const changed = { ...kept, fileSecret: 'n'.repeat(43), previousFileSecret: fileSecret, numberSecret: fileSecret };
  writeFileSync(path, JSON.stringify(changed));
  service = await FileServiceUnderTest.open({ clock, dataDirectory: service.dataDirectory });
  for (const { url } of [lasting, ending]) expect(await open(url)).toMatchObject({ status: 200 });
  const again = (await service.uploadPdf([{ name: 'a.pdf', content }], 'tnt_1')).data;
  expect(again['attachment_id']).toBe(lasting['attachment_id']);
  expect(again['url']).not.toBe(lasting['url']);
  expect(await open(again['url'])).toMatchObject({ status: 200 });
});
