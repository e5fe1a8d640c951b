import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { Webhook } from 'standardwebhooks';
import { type Harness, openHarness } from '../testing/webhook-harness.ts';

let h: Harness;
afterEach(() => h.stop());

interface Page {
  readonly events: { readonly type: string; readonly data: { readonly event_id: string } }[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}
interface Heard {
  readonly secret: string | null;
  readonly messages: { readonly event_id: string; readonly headers: Record<string, string>; readonly body: string }[];
  readonly next_cursor: string;
}

const page = async (query: string): Promise<Page> => (await h.call('GET', `/open/v1/events${query}`)).data as unknown as Page;
const listen = async (query: string): Promise<Heard> => (await h.call('GET', `/sandbox/v1/listen${query}`)).data as unknown as Heard;
const idsOf = ({ events }: Page): string[] => events.map(({ data }) => data.event_id);

async function weighed(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await h.weigh());
  await until(async () => new Set(idsOf(await page('?limit=100'))).size >= count, { what: 'all to be stored' });
  return ids;
}

describe('the feed', () => {
  test('has cursors that nobody can read, of one tenant alone; those of a former version go on', async () => {
    h = await openHarness();
    await weighed(3);
    const { next_cursor: cursor } = await page('?limit=1');
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/^[\x20-\x7e]*$/);
    expect(await h.call('GET', `/open/v1/events?after=${cursor}`, undefined, 'tnt_other')).toMatchObject({ code: '42201' });
    const former = Buffer.from('e1').toString('base64url');
    expect(await page(`?after=${former}`)).toMatchObject({ events: (await page(`?after=${cursor}`)).events });
  });

  test('gives every event once, in order, without any endpoint, and goes on where it ended', async () => {
    h = await openHarness();
    expect(await page('')).toMatchObject({ events: [], has_more: false, next_cursor: expect.any(String) });
    const before = await page('');
    const ids = await weighed(25);
    const seen: string[] = [];
    let cursor = before.next_cursor;
    for (let pages = 1; ; pages += 1) {
      expect(pages).toBeLessThanOrEqual(25);
      const next = await page(`?limit=10&after=${cursor}`);
      seen.push(...idsOf(next));
      cursor = next.next_cursor;
      if (!next.has_more) break;
    }
    expect([...seen].sort()).toEqual([...ids].sort());
    expect(seen).toEqual(idsOf(await page('?limit=100')));
    expect(await page(`?after=${cursor}`)).toMatchObject({ events: [], has_more: false });
    const later = await h.weigh();
    await until(async () => idsOf(await page(`?after=${cursor}`))[0] === later, { what: 'it' });
  });

  test('begins at any instant, and may be of some types only', async () => {
    h = await openHarness();
    await weighed(2);
    const came = Date.now();
    await until(() => Date.now() > came, { what: 'a later millisecond' });
    const between = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const id = await h.track({ isTerminal: true });
    await until(async () => idsOf(await page('')).length === 3, { what: 'it' });
    expect(idsOf(await page(`?since=${between}`))).toEqual([id]);
    expect(idsOf(await page('?event_types=tracking.changed'))).toEqual([id]);
    expect(idsOf(await page('?event_types=parcel.weighed'))).toHaveLength(2);
  });

  test.each([
    ['?after=nonsense', 'after'],
    [`?after=${Buffer.from('eabc').toString('base64url')}`, 'after'],
    ['?since=yesterday', 'since'],
    ['?event_types=parcel.weighed,none', 'event_types'],
    ['?limit=0', 'limit'],
  ])('refuses %s on its field', async (query, field) => {
    h = await openHarness();
    expect(await h.call('GET', `/open/v1/events${query}`)).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field }] } });
  });
});

describe('listening', () => {
  test('brings what comes from now on, signed with a secret that stays', async () => {
    h = await openHarness();
    await weighed(1);
    const begin = await listen('');
    expect(begin).toMatchObject({ messages: [], secret: expect.stringMatching(/^whsec_/) });
    const response = listen(`?wait=10&after=${begin.next_cursor}`);
    const id = await h.weigh();
    const heard = await response;
    expect(heard.secret).toBe(begin.secret);
    expect(heard.messages.map(({ event_id }) => event_id)).toEqual([id]);
    const [message] = heard.messages;
    const event = new Webhook(begin.secret ?? '').verify(message?.body ?? '', message?.headers ?? {});
    expect(event).toMatchObject({ type: 'parcel.weighed', data: { event_id: id } });
    expect((await listen(`?wait=1&after=${heard.next_cursor}`)).messages).toEqual([]);
    expect((await h.call('GET', '/sandbox/v1/listen', undefined, 'tnt_two')).data).not.toMatchObject({ secret: begin.secret });
  });

  test('ends with the service, at once', async () => {
    h = await openHarness();
    const { next_cursor } = await listen('');
    const started = performance.now();
    const waiting = listen(`?wait=25&after=${next_cursor}`);
    await until(() => performance.now() - started > 300, { what: 'it to wait' });
    h.service.endWaiting?.();
    expect((await waiting).messages).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('as an endpoint has its types, its filter, its headers and its secrets, the former one too after a rotation', async () => {
    h = await openHarness();
    const given = { event_types: ['tracking.changed'], filter: { is_terminal: true }, headers: { 'X-Team': 'ops' } };
    const { endpoint_id, secret } = await h.register('http://127.0.0.1:9/', given);
    const rotated = (await h.call('POST', `/${endpoint_id}/rotate-secret`)).data as unknown as { secret: string };
    const begin = await listen(`?endpoint_id=${endpoint_id}`);
    expect(begin.secret).toBeNull();
    await h.weigh();
    await h.track();
    const id = await h.track({ isTerminal: true });
    const heard = await until(
      async () => {
        const response = await listen(`?wait=1&endpoint_id=${endpoint_id}&after=${begin.next_cursor}`);
        return response.messages.length > 0 && response;
      },
      { what: 'it' },
    );
    expect(heard.messages.map(({ event_id }) => event_id)).toEqual([id]);
    const [message] = heard.messages;
    expect(message?.headers['X-Team']).toBe('ops');
    for (const one of [secret, rotated.secret]) expect(new Webhook(one).verify(message?.body ?? '', message?.headers ?? {})).toBeDefined();
  });
});
