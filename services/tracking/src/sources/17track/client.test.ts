import { beforeEach, describe, expect, test } from '@jest/globals';
import { MockVendor } from '../../testing/mock-vendor.ts';
import type { AskedParcel } from '../source.ts';
import { source17Track } from './source.ts';

const signal = AbortSignal.timeout(30_000);
const parcel: AskedParcel = { trackingNumber: 'YT2632400000000017', dispatchedAt: 0, carrierCode: 'Yun-Express', reference: null };
const other: AskedParcel = { ...parcel, trackingNumber: 'EX000000017CN', carrierCode: 'dhl' };

const vendor = new MockVendor(source17Track, { key: 'SECRET-KEY' });
const { sent } = vendor;
/** Lets the vendor succeed with this body. */
const succeed = (response: object): void => {
  vendor.respond = () => [200, response];
};

const registered = { number: parcel.trackingNumber, carrier: 190008 };
const withRow = { ...registered, track_info: { tracking: { providers: [{ events: [{}] }] } } };
const refused = (number: string, code: number, message = 'No.') => ({ number, carrier: 190008, error: { code, message } });
const respond = (accepted: unknown, rejected: unknown = []): void => {
  succeed({ code: 0, data: { accepted, rejected } });
};

describe('what is sent', () => {
  beforeEach(() => respond([registered]));

  test('for a registration, with what is known of the parcel', async () => {
    const more = { destinationCountry: 'US', destinationPostcode: '85001', phoneLast4: '1234', shipDate: '2026-11-20' };
    await vendor.client.register([{ ...parcel, ...more }, other], signal);
    const fields = {
      carrier: 190008,
      destination_country: 'US',
      destination_postal_code: '85001',
      phone_number_last_4: '1234',
      ship_date: '2026-11-20',
    };
    expect(sent).toMatchObject([
      {
        line: 'POST /track/v2.4/register',
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'content-type': 'application/json', '17token': 'SECRET-KEY' },
        json: [{ number: parcel.trackingNumber, ...fields }, { number: other.trackingNumber }],
      },
    ]);
  });

  test('for a query the number alone, once; to undo a registration the carrier that 17TRACK named', async () => {
    await vendor.client.query(
      [
        { ...parcel, reference: '190008' },
        { ...parcel, dispatchedAt: 1 },
      ],
      signal,
    );
    await vendor.client.unregister([{ ...parcel, reference: '3011' }, parcel, { ...parcel, reference: 'x' }], signal);
    succeed({ code: 0, data: { quota_total: 200 } });
    await vendor.client.test(signal);
    const { trackingNumber: number } = parcel;
    expect(sent.map(({ line, json }) => [line.replace('POST /track/v2.4/', ''), json])).toEqual([
      ['gettrackinfo', [{ number }]],
      ['deletetrack', [{ number, carrier: 3011 }, { number }]],
      ['getquota', []],
    ]);
  });

  test('of numbers that 17TRACK does not take nothing, for one of them can cost the whole call', async () => {
    const odd = ['', '1234', 'A'.repeat(51), 'YT 26324', '…………'].map((trackingNumber) => ({ ...parcel, trackingNumber }));
    for (const call of [vendor.client.register(odd, signal), vendor.client.query(odd, signal)])
      expect((await call).map(({ kind }) => kind)).toEqual(odd.map(() => 'rejected'));
    await vendor.client.unregister(odd, signal);
    expect(sent).toEqual([]);
    expect((await vendor.client.register([parcel, ...odd], signal))[0]).toEqual({ kind: 'registered', reference: '190008' });
  });
});

describe('a response', () => {
  test('may write a number in other letters, and leave one out', async () => {
    respond([{ number: parcel.trackingNumber.toLowerCase(), track_info: null }]);
    expect(await vendor.client.query([parcel, other], signal)).toEqual([{ kind: 'trace', raw: null }, { kind: 'no news' }]);
    const reason = '17TRACK does not name the number in its response';
    expect(await vendor.client.register([parcel, other], signal)).toEqual([
      { kind: 'registered', reference: null },
      { kind: 'rejected', reason },
    ]);
  });

  test('to a registration names at least one of the numbers, and to a test the quota', async () => {
    respond([]);
    await expect(vendor.client.register([parcel], signal)).rejects.toMatchObject({ reason: 'wrong response' });
    await expect(vendor.client.test(signal)).rejects.toMatchObject({ reason: 'wrong response' });
    expect(await vendor.client.query([parcel], signal)).toEqual([{ kind: 'no news' }]);
  });

  test('has errors of single numbers, without the key', async () => {
    respond([], [refused(parcel.trackingNumber, -18010012, 'The format of SECRET-KEY is invalid.')]);
    const reason = '-18010012: The format of … is invalid.';
    for (const call of [vendor.client.register([parcel], signal), vendor.client.query([parcel], signal)])
      expect(await call).toEqual([{ kind: 'rejected', reason }]);
  });

  test('has errors of the account among the numbers: a registration is repeated as a whole, a query keeps what there is', async () => {
    respond([withRow], [refused(other.trackingNumber, -18019908)]);
    await expect(vendor.client.register([parcel, other], signal)).rejects.toMatchObject({ reason: 'quota used up' });
    await expect(vendor.client.unregister([parcel, other], signal)).rejects.toMatchObject({ reason: 'quota used up' });
    expect(await vendor.client.query([parcel, other], signal)).toMatchObject([{ kind: 'trace' }, { kind: 'no news' }]);
    respond([], [refused(other.trackingNumber, -18019908)]);
    await expect(vendor.client.query([other], signal)).rejects.toMatchObject({ reason: 'quota used up' });
  });

  test.each<[object, string]>([
    [{ code: -18010002, data: {} }, 'access denied'],
    [{ code: -18010003, data: {} }, 'unavailable'],
    [{ code: 0, data: { errors: [{ code: -18010013, message: 'Invalid submitted data.' }] } }, 'wrong response'],
    [{ code: -1, data: {} }, 'wrong response'],
    [{ code: 0 }, 'wrong response'],
    [{ code: 0, data: { accepted: 5 } }, 'wrong response'],
  ])('%j refuses the call: %s', async (given, reason) => {
    succeed(given);
    for (const call of [
      vendor.client.register([parcel], signal),
      vendor.client.query([parcel], signal),
      vendor.client.unregister([parcel], signal),
    ])
      await expect(call).rejects.toMatchObject({ reason });
  });
});
