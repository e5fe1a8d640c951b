import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { responding, settled, subscribed } from '../../subscription.ts';
import { hasFocus } from '../page-window.ts';
import { parcelInTrouble, parcelUnderWay } from './parcels.ts';
import { useConsole } from './use-console.ts';

/* Every view of the console, in both themes: faults of accessibility, and widths. */

const { stage, open } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms' });

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('no view has a serious fault of accessibility, and none is wider than a telephone', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = responding(500, { 'content-type': 'application/json' });
    const poNumber = await parcelUnderWay(owner);
    const waiting = (await owner.submit({ forecastType: 1 })).po_number;
    const troubled = await parcelInTrouble(stage.clerk, owner);
    const failed = await settled(owner, endpoint.endpoint_id, 'failed');
    const at = await open({ colorScheme });
    const { page } = at;
    const faults: Record<string, string[]> = {};
    const check = async (name: string): Promise<void> => {
      const found = await at.faultsAt(380);
      if (found.length > 0) faults[name] = found;
    };
    await check('sign in');
    await at.signIn(owner.identity.key);
    const webhooks = `#/webhooks/${endpoint.endpoint_id}`;
    const views = [
      '#/parcels',
      '#/parcels?status=7',
      `#/parcels/${poNumber}`,
      `#/parcels/${troubled.poNumber}`,
      '#/parcels/PO-NOBODY',
      '#/new-parcel',
      `#/parcels/${waiting}/correction`,
      `#/parcels/${poNumber}/correction`,
      '#/imports',
      '#/imports/new',
      '#/imports/imp_nobody',
      '#/files',
      '#/connections',
      '#/keys',
      '#/activity',
      '#/activity/failed-calls',
      '#/activity/audit-log',
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
