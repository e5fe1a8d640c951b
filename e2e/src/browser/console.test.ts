import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { Browser } from 'playwright-core';
import { Stage } from '../stage.ts';
import { deliveries, responding, settled, subscribed, weigh } from '../subscription.ts';
import { ConsolePage } from './console-page.ts';
import { hasFocus, type Look, launchBrowser } from './page-window.ts';
import { parcelUnderWay } from './parcels.ts';

/* The merchant's page in a real browser, on a real platform, with a receiver that fails and recovers. */

// Each test opens a browser window; on a machine with other work to do that alone takes seconds.
jest.setTimeout(90_000);

let stage: Stage;
let browser: Browser;
const open: ConsolePage[] = [];

beforeAll(async () => {
  [stage, browser] = await Promise.all([Stage.open({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms' }), launchBrowser()]);
}, 60_000);
afterEach(async () => {
  const faults = open.flatMap((each) => each.faults);
  await Promise.all(open.splice(0).map((each) => each.close()));
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
}, 60_000);

/** The page, closed after the test. */
async function opened(look: Look = {}): Promise<ConsolePage> {
  const page = await ConsolePage.open(browser, stage.platform.quickstart.base_url, look);
  open.push(page);
  return page;
}

/** The page with a merchant signed in. */
async function signedIn(key: string, look: Look = {}): Promise<ConsolePage> {
  const page = await opened(look);
  await page.signIn(key);
  return page;
}

describe('signing in', () => {
  test('a key that opens nothing is told in words, and nothing else is shown', async () => {
    const { page } = await opened();
    await page.getByLabel('API key').fill('pf_test_not-a-key');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('invalid, expired, revoked or of the other environment');
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test('the key of a warehouse is refused with the reason', async () => {
    const { page } = await opened();
    await page.getByLabel('API key').fill(stage.platform.quickstart.warehouse.api_key);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('needs the key of a tenant');
  });

  test('the key is in no storage, address, cookie or attribute, and a reload forgets it', async () => {
    const { key } = (await stage.operator.newMerchant()).identity;
    const { page } = await signedIn(key);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML, history.state, window.name])',
    );
    expect(kept).toContain('Parcelway');
    expect(kept).not.toContain(key);
    expect((await page.context().storageState({ indexedDB: true })).origins).toEqual([]);
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
  });

  test('an address that was opened before leads there afterwards, under whatever prefix', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    const at = await opened();
    const { page } = at;
    // A proxy in front that adds a folder of its own.
    await page
      .context()
      .route('**/behind/a-proxy/**', (route) => route.continue({ url: route.request().url().replace('/behind/a-proxy', '') }));
    await page.goto(`${stage.platform.quickstart.base_url}/behind/a-proxy/console#/webhooks/${endpoint.endpoint_id}`);
    await at.signIn(owner.identity.key);
    await at.heading(receiver.url).waitFor();
  });

  test('signing out ends the session; a revoked key does, too, and says so', async () => {
    const { key, keyId } = (await stage.operator.newMerchant()).identity;
    const { page } = await signedIn(key);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    await stage.operator.revokeKey(keyId);
    await until(async () => {
      if ((await page.getByLabel('API key').count()) > 0) return true;
      await page.getByRole('button', { name: 'Refresh' }).click();
      return false;
    });
    expect(await page.getByRole('alert').textContent()).toContain('expired or has been revoked');
  });
});

describe('a failed delivery', () => {
  test('is found, explained, resent, and seen to succeed', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = (_webhook, res) =>
      res.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"stock database is read-only"}');
    const poNumber = await weigh(owner);
    await settled(owner, endpoint.endpoint_id, 'failed');

    const { page, button } = await openedAt(owner.identity.key, '#/webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('region', { name: 'Health' }).getByText('Nothing has succeeded since').waitFor();
    await page.getByRole('link', { name: 'Failed', exact: true }).click();
    await page
      .getByRole('row', { name: new RegExp(poNumber) })
      .getByRole('link')
      .click();
    await page.getByText('The receiver responded with 503.').waitFor();
    await page.getByText('Given up after the last attempt').waitFor();
    await page.getByText('"stock database is read-only"').first().waitFor();
    expect(await page.locator('.attempt').count()).toBe(2);

    receiver.respond = responding(204);
    await button('Resend').click();
    await page.getByText('Sent again under the same webhook-id.').waitFor();
    await page.getByText('Delivered. Nothing more is sent.').waitFor();
    await page.getByText('Attempt 3').waitFor();
    // The same delivery is found from its event.
    await page.goto(`${new URL(page.url()).origin}${new URL(page.url()).pathname}#/events`);
    await button('Show details').click();
    const there = page.getByRole('list', { name: 'Deliveries of this event' });
    await there.getByText('Succeeded').waitFor();
    await there.getByRole('link', { name: receiver.url }).click();
    await page.getByText('Attempt 3').waitFor();
    const ids = new Set(receiver.received.map((webhook) => webhook.id));
    expect(ids.size).toBe(1);
    expect(await page.getByRole('group', { name: 'Body' }).last().textContent()).toContain(poNumber);
  });

  test('that is tried again says when and why', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = responding(429, { 'retry-after': '90' });
    await weigh(owner);
    const pending = await until(async () =>
      (await deliveries(owner, endpoint.endpoint_id)).find(
        (delivery) => delivery.attempt_count === 1 && delivery.next_attempt_reason === 'retry_after',
      ),
    );
    const { page } = await openedAt(owner.identity.key, `#/webhooks/${endpoint.endpoint_id}/deliveries/${pending.delivery_id}`);
    const next = page.getByRole('region', { name: 'What happens next' });
    await next.getByText(/^Next attempt in (1 minute|2 minutes|\d\d seconds)$/).waitFor();
    await next.getByText('Your receiver asked for this wait with the header Retry-After. (Retry-After: 90)').waitFor();
    // The delivery waits for as long as it was asked; the endpoint for a minute at most.
    await page.getByRole('link', { name: receiver.url }).click();
    await page
      .getByRole('region', { name: 'Health' })
      .getByText(/Your receiver asked us to slow down .+ It goes on in (1 minute|\d+ seconds)\./)
      .waitFor();
  });

  test('that got no response says why once, and of each attempt before', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    await receiver.stop();
    await weigh(owner);
    const { delivery_id } = await settled(owner, endpoint.endpoint_id, 'failed');
    const { page } = await openedAt(owner.identity.key, `#/webhooks/${endpoint.endpoint_id}/deliveries/${delivery_id}`);
    const why = page.getByText('The connection was refused.').filter({ visible: true });
    await page.getByRole('region', { name: 'What happens next' }).getByText('The connection was refused.').waitFor();
    expect(await why.count()).toBe(1);
    await page.getByText('Attempt 1').click();
    await until(async () => (await why.count()) === 2);
    expect(await page.getByText('No response came.').count()).toBe(0);
  });

  test('can be reached and resent with the keyboard alone', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = responding(500);
    const poNumber = await weigh(owner);
    await settled(owner, endpoint.endpoint_id, 'failed');
    receiver.respond = responding(204);

    const keyboard = await opened();
    const { page } = keyboard;
    await keyboard.tabTo(page.getByLabel('API key'));
    await page.keyboard.type(owner.identity.key);
    await page.keyboard.press('Enter');
    await keyboard.arrived('Parcels');
    await keyboard.enter(page.getByRole('link', { name: 'Webhooks', exact: true }));
    await keyboard.arrived('Webhook endpoints');
    await keyboard.enter(page.getByRole('link', { name: receiver.url }));
    await keyboard.arrived(receiver.url);
    await keyboard.enter(page.getByRole('row', { name: new RegExp(poNumber) }).getByRole('link'));
    await keyboard.arrived('parcel.weighed');
    await keyboard.enter(page.getByRole('button', { name: 'Resend' }));
    await page.getByText('Delivered. Nothing more is sent.').waitFor();
  });
});

/** The page with a merchant signed in, at an address. */
async function openedAt(key: string, hash: string, look: Look = {}) {
  const at = await signedIn(key, look);
  await at.visit(hash);
  return { page: at.page, at, button: (name: string) => at.button(name) };
}

describe('an endpoint', () => {
  test('is created, changed, tested, paused, rotated and deleted', async () => {
    const owner = await stage.operator.newMerchant();
    const receiver = await stage.receiver();
    const { page, button } = await openedAt(owner.identity.key, '#/webhooks');
    await page.getByText('No endpoint yet').waitFor();
    await page.getByRole('link', { name: 'New endpoint' }).first().click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Event filter').fill('{"is_terminal": ');
    await page.getByText('This is not a JSON object').waitFor();
    await page.getByLabel('Event filter').fill('{"is_terminal": true}');
    await button('Add header').click();
    await page.getByLabel('Custom headers 1: Name').fill('Authorization');
    await page.getByLabel('Custom headers 1: Value').fill('Bearer of-the-receiver');
    await button('Create endpoint').click();
    const secret = await page.getByRole('dialog').locator('code').textContent();
    expect(secret).toMatch(/^whsec_/);
    await button('I have copied it').click();
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await page.content()).not.toContain('of-the-receiver');

    await button('Send test event').click();
    await page.getByLabel('Type of event').selectOption('tracking.changed');
    await button('Send').click();
    const webhook = await receiver.waitFor(({ type }) => type === 'tracking.changed');
    expect(webhook.headers['authorization']).toBe('Bearer of-the-receiver');
    await page.getByRole('row', { name: /tracking\.changed Succeeded Test/ }).waitFor();

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Rate limit').fill('5');
    await button('Save changes').click();
    await page.getByText('5 a second').waitFor();
    await button('Pause').click();
    await page.getByText('Paused: events wait').waitFor();
    await button('Resume').click();
    await button('Pause').waitFor();
    await button('Rotate secret').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('keeps signing along for 24 hours').waitFor();
    expect(await page.getByRole('dialog').locator('code').textContent()).not.toBe(secret);
    await button('I have copied it').click();
    await page.getByText('Both secrets sign until').waitFor();
    await button('Rotate secret').click();
    await page.getByText('Rotating now ends it at once').waitFor();
    await page.getByLabel('End the present secret at once').check();
    await page.getByText('Only the new secret signs from now on').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('The former secret signs no more').waitFor();
    await button('I have copied it').click();
    await page.getByText('Both secrets sign until').waitFor({ state: 'detached' });
    const { endpoints } = await expectRoute<{ endpoints: WebhookEndpoint[] }>(owner.client, 'listEndpoints', {});
    expect(endpoints).toMatchObject([
      { rate_limit: 5, status: 'enabled', filter: { is_terminal: true }, headers: { Authorization: '***' } },
    ]);
    await button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoint yet').waitFor();
  });

  test('with many deliveries shows them page by page', async () => {
    const { owner, endpoint } = await subscribed(stage);
    const path = { endpoint_id: endpoint.endpoint_id };
    for (let sent = 0; sent < 25; sent += 1) await expectRoute(owner.client, 'sendTestEvent', { path });
    const { page, button } = await openedAt(owner.identity.key, `#/webhooks/${endpoint.endpoint_id}`);
    const rows = page.getByRole('rowheader', { name: 'endpoint.test' });
    await until(async () => (await rows.count()) === 20);
    await button('Load more').click();
    await until(async () => (await rows.count()) === 25);
    expect(await button('Load more').count()).toBe(0);
  });

  test('a refusal is shown at its field, once, and the field takes the focus', async () => {
    const owner = await stage.operator.newMerchant();
    const { page, button } = await openedAt(owner.identity.key, '#/webhooks/new');
    const url = page.getByLabel('URL');
    await url.fill('https://192.168.1.1/hook');
    await button('Create endpoint').click();
    await page.getByRole('alert').getByText('Some fields need another value. They are marked.').waitFor();
    await until(() => hasFocus(url), { what: 'the focus to be on the refused field' });
    const [described = ''] = ((await url.getAttribute('aria-describedby')) ?? '').split(' ');
    const fault = page.locator(`[id="${described}"]`);
    expect(await fault.innerText()).toMatch(/^url must lead to a public address;/);
    expect(await page.locator('main').innerText()).not.toMatch(/url url|must lead[\s\S]*must lead/);
    const [field, told] = await Promise.all([url.boundingBox(), fault.boundingBox()]);
    expect(Number(told?.y) - Number(field?.y) - Number(field?.height)).toBeLessThan(20);
  });

  test('a failure to load further deliveries is shown beside the button that asked for them', async () => {
    const { owner, endpoint } = await subscribed(stage);
    const path = { endpoint_id: endpoint.endpoint_id };
    for (let sent = 0; sent < 21; sent += 1) await expectRoute(owner.client, 'sendTestEvent', { path });
    const { page, button } = await openedAt(owner.identity.key, `#/webhooks/${endpoint.endpoint_id}`);
    await page.route('**/deliveries?*cursor=*', (route) =>
      route.fulfill({ status: 503, json: { code: '50301', message: 'Service temporarily unavailable', data: null } }),
    );
    await button('Load more').click();
    await page.locator('.more').getByRole('alert').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
  });

  test('that was disabled holds events; enabling and replaying brings them', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    const { page, button } = await openedAt(owner.identity.key, `#/webhooks/${endpoint.endpoint_id}`);
    await button('Disable').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('You disabled it.').waitFor();
    const poNumber = await weigh(owner);
    await settled(owner, endpoint.endpoint_id, 'held');
    await button('Refresh').click();
    await page.getByRole('row', { name: new RegExp(`Held ${poNumber}`) }).waitFor();
    await button('Enable').click();
    await button('Replay').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('1 delivery is on the way.').waitFor();
    await receiver.waitForEvent('parcel.weighed', poNumber);
    await page.getByRole('row', { name: new RegExp(`Succeeded ${poNumber}`) }).waitFor();
  });
});

describe('parcels', () => {
  test('are listed, found, and shown with measurements, photos and the way', async () => {
    const owner = await stage.operator.newMerchant();
    const [poNumber, other] = [await parcelUnderWay(owner), (await owner.submit({ forecastType: 1 })).po_number];
    const { page, at, button } = await openedAt(owner.identity.key, '#/parcels');
    await page.getByRole('link', { name: other }).waitFor();
    await page.getByLabel('Find a PO number').fill(poNumber);
    await button('Filter').click();
    await page.getByRole('link', { name: other }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: poNumber }).click();
    await page.getByRole('region', { name: 'Measurements', exact: true }).getByText('2.415').waitFor();
    await until(async () => (await page.locator('.photos img').count()) === 4);
    await at.until("[...document.querySelectorAll('.photos img')].every((image) => image.naturalWidth > 0)");
    const nodes = page.getByRole('region', { name: 'Tracking' }).getByRole('listitem');
    await nodes.first().getByText('Departed from the sorting centre').waitFor();
    expect(await nodes.count()).toBe(2);

    await owner.simulate({ po_number: poNumber, step: 'track', admin_status: 'Delivery Success', create_time: '2026-11-21 20:00:00' });
    await owner.untilStatus(poNumber, 6);
    await button('Refresh').click();
    await nodes.first().getByText('End of the way').waitFor();
  });

  test('show every time in the zone of the reader, and as it was sent on hover and focus', async () => {
    const owner = await stage.operator.newMerchant();
    const poNumber = await parcelUnderWay(owner);
    const { page } = await openedAt(owner.identity.key, `#/parcels/${poNumber}`, { timeZone: 'America/New_York' });
    const node = page.getByRole('region', { name: 'Tracking' }).locator('time').first();
    expect(await node.innerText()).toBe('20 Nov 2026, 19:05:00 GMT-5');
    expect([await node.getAttribute('title'), await node.getAttribute('datetime')]).toEqual(Array(2).fill('2026-11-21T08:05:00+08:00'));
    await node.focus();
    expect(await page.evaluate("getComputedStyle(document.activeElement, '::after').content")).toContain('2026-11-21T08:05:00+08:00');
    const zones = (await page.locator('main').innerText()).match(/(GMT|UTC)[+-]?[\d:]*|[+-]\d{2}:\d{2}/g);
    expect(new Set(zones)).toEqual(new Set(['GMT-5']));
  });

  test('one that does not exist is told in words', async () => {
    const owner = await stage.operator.newMerchant();
    const { page } = await openedAt(owner.identity.key, '#/parcels/PO-NOBODY');
    expect(await page.getByRole('alert').textContent()).toContain('There is no parcel with this number.');
  });
});

test('events can be read without any endpoint', async () => {
  const owner = await stage.operator.newMerchant();
  const poNumber = await weigh(owner);
  const { page, button } = await openedAt(owner.identity.key, '#/events');
  await until(async () => {
    if ((await page.getByRole('link', { name: poNumber }).count()) === 1) return true;
    await button('Load newer').click();
    return false;
  });
  await button('Show details').click();
  await page.getByText('None of your endpoints has a delivery of this event').waitFor();
  await page.getByRole('group').getByText('"parcel.weighed"').waitFor();
});

describe('languages', () => {
  test('follow the browser, can be switched, and are told to the reader', async () => {
    const owner = await stage.operator.newMerchant();
    const at = await signedIn(owner.identity.key, { locale: 'zh-CN' });
    const { page } = at;
    await page.getByRole('heading', { level: 1, name: '包裹' }).waitFor();
    await at.until("document.documentElement.lang === 'zh-CN'");
    await page.getByLabel('语言').selectOption('en');
    await page.getByRole('heading', { level: 1, name: 'Parcels' }).waitFor();
    await at.until("document.documentElement.lang === 'en-GB' && document.title === 'Parcels · Parcelway'");
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('no view has a serious fault of accessibility, and none is wider than a telephone', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = responding(500, { 'content-type': 'application/json' });
    const poNumber = await parcelUnderWay(owner);
    const failed = await settled(owner, endpoint.endpoint_id, 'failed');
    const at = await opened({ colorScheme });
    const { page } = at;
    const faults: Record<string, string[]> = {};
    const check = async (name: string): Promise<void> => {
      const found = await at.seriousFaults();
      await page.setViewportSize({ width: 380, height: 780 });
      if (await page.evaluate('document.documentElement.scrollWidth > 380')) found.push('wider than 380 px');
      await page.setViewportSize({ width: 1280, height: 860 });
      if (found.length > 0) faults[name] = found;
    };
    await check('sign in');
    await at.signIn(owner.identity.key);
    const webhooks = `#/webhooks/${endpoint.endpoint_id}`;
    const views = [
      '#/parcels',
      '#/parcels?status=7',
      `#/parcels/${poNumber}`,
      '#/parcels/PO-NOBODY',
      '#/webhooks',
      '#/webhooks/new',
      webhooks,
      `${webhooks}?status=held`,
      `${webhooks}/settings`,
      `${webhooks}/deliveries/${failed.delivery_id}`,
      '#/events',
      '#/nowhere',
    ];
    for (const view of views) {
      await at.visit(view);
      await check(view);
    }
    await at.visit(webhooks);
    for (const dialog of ['Send test event', 'Replay', 'Rotate secret', 'Disable', 'Delete']) {
      await at.button(dialog).click();
      await page.getByRole('dialog').waitFor();
      await check(dialog);
      await page.keyboard.press('Escape');
      // The focus is back where it came from.
      await until(() => hasFocus(at.button(dialog)), { what: `the focus to be back at ${dialog}` });
    }
    await page.getByLabel('Language').selectOption('zh');
    await at.visit(`#/parcels/${poNumber}`);
    await check('Chinese');
    expect(faults).toEqual({});
  });
});
