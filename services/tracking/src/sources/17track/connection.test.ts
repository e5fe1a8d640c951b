import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { start17TrackServer } from '@parcelway/harness/sources/17track-server';
import type { PushOptions, SourceServer } from '@parcelway/harness/sources/source-server';
import { MockAgent } from 'undici';
import type { AskedParcel, SourceClient } from '../source.ts';
import { source17Track } from './source.ts';

const signal = AbortSignal.timeout(30_000);
const parcel: AskedParcel = { trackingNumber: 'YT2632400000000017', dispatchedAt: 0, carrierCode: 'Yun-Express', reference: null };

describe('what is sent', () => {
  let agent: MockAgent;
  let client: SourceClient;
  const sent: { path: string; method: string; headers: unknown; body: unknown }[] = [];

  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    sent.length = 0;
    client = source17Track.connect({ baseUrl: source17Track.baseUrl, credentials: { key: 'SECRET-KEY' }, dispatcher: agent });
  });

  afterEach(() => agent.close());

  /** Lets the next call have this response. */
  function respond(json: unknown, headers: Record<string, string> = {}): void {
    agent
      .get('https://api.17track.net')
      .intercept({ path: () => true, method: 'POST' })
      .reply(
        200,
        ({ path, method, headers: given, body }) => {
          sent.push({ path, method, headers: given, body: JSON.parse(String(body)) });
          return JSON.stringify(json);
        },
        { headers },
      );
  }

  const nothing = { code: 0, data: { accepted: [], rejected: [] } };
  const taken = { code: 0, data: { accepted: [{ number: parcel.trackingNumber, carrier: 190008 }] } };

  test('for a registration, with what is known of the parcel', async () => {
    const more = { destinationCountry: 'US', destinationPostcode: '85001', phoneLast4: '1234', shipDate: '2026-11-20' };
    respond(taken);
    await client.register(
      [
        { ...parcel, ...more },
        { ...parcel, trackingNumber: 'EX000000017CN', carrierCode: 'dhl' },
      ],
      signal,
    );
    expect(sent).toEqual([
      {
        path: '/track/v2.4/register',
        method: 'POST',
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'content-type': 'application/json', '17token': 'SECRET-KEY' },
        body: [
          {
            number: 'YT2632400000000017',
            carrier: 190008,
            destination_country: 'US',
            destination_postal_code: '85001',
            phone_number_last_4: '1234',
            ship_date: '2026-11-20',
          },
          { number: 'EX000000017CN' },
        ],
      },
    ]);
  });

  test('for a query, the number alone', async () => {
    respond(nothing);
    await client.query([{ ...parcel, reference: '190008' }], signal);
    expect(sent.map(({ path, body }) => [path, body])).toEqual([['/track/v2.4/gettrackinfo', [{ number: 'YT2632400000000017' }]]]);
  });

  test('to undo a registration, with the carrier that 17TRACK named', async () => {
    respond(nothing);
    await client.unregister([{ ...parcel, reference: '3011' }, parcel, { ...parcel, reference: 'x' }], signal);
    expect(sent).toMatchObject([
      { path: '/track/v2.4/deletetrack', body: [{ number: parcel.trackingNumber, carrier: 3011 }, { number: parcel.trackingNumber }] },
    ]);
  });

  test('to test the credentials', async () => {
    respond({ code: 0, data: { quota_total: 200 } });
    await client.test(signal);
    expect(sent).toMatchObject([{ path: '/track/v2.4/getquota', body: [] }]);
  });

  test('a compressed response is refused', async () => {
    respond(taken, { 'content-encoding': 'gzip' });
    await expect(client.register([parcel], signal)).rejects.toMatchObject({ reason: 'wrong response' });
  });

  test('words of 17TRACK that hold the key do not go into a message', async () => {
    const error = { code: -18010012, message: 'The format of SECRET-KEY is invalid.' };
    respond({ code: 0, data: { accepted: [], rejected: [{ number: parcel.trackingNumber, error }] } });
    const [result] = await client.register([parcel], signal);
    expect(result).toEqual({ kind: 'rejected', reason: 'invalid request (-18010012): The format of … is invalid.' });
  });
});

describe('a push', () => {
  let server: SourceServer;
  beforeEach(async () => {
    server = await start17TrackServer();
    server.addRows(parcel.trackingNumber, { stage: 'delivered', at: '2026-11-25T14:00:00-05:00', text: 'Delivered' });
  });
  afterEach(() => server.close());

  const { pushes } = source17Track;
  function isRight(options: PushOptions, credentials: Readonly<Record<string, string>> = server.credentials): boolean | undefined {
    const { body, headers } = server.signPush(parcel.trackingNumber, options);
    return pushes?.verify(Buffer.from(body), headers, pushes.secretsOf(credentials));
  }

  test('of the server is right, and is read', () => {
    expect(isRight({})).toBe(true);
    const body = Buffer.from(server.signPush(parcel.trackingNumber).body);
    const push = pushes?.parse(body);
    expect(push).toMatchObject({ traces: [{ trackingNumber: parcel.trackingNumber, carrier: '3011' }] });
    expect(source17Track.translate(push?.traces[0]?.raw, parcel).nodes).toMatchObject([{ adminStatus: 'Delivery Success' }]);
  });

  test('is right with the key before, too, and with no other', () => {
    expect(isRight({ secret: 'OLD' }, { ...server.credentials, previous_key: 'OLD' })).toBe(true);
    expect(isRight({}, { key: 'NEW', previous_key: server.credentials['key'] ?? '' })).toBe(true);
    for (const options of [{ secret: 'OLD' }, { isUnsigned: true }, { signs: '{}' }]) expect(isRight(options)).toBe(false);
    expect(isRight({ secret: '' }, { key: '', previous_key: '' })).toBe(false);
  });
});
