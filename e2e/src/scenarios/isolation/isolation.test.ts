import { describe, expect, test } from '@jest/globals';
import { routes } from '@parcelway/contracts/routes';
import { newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { accountCases } from './account-cases.ts';
import { fileCases } from './file-cases.ts';
import { forecastCases } from './forecast-cases.ts';
import { importCases } from './import-cases.ts';
import { manyCases } from './many-cases.ts';
import { type Cases, useNeighbours } from './neighbours.ts';
import { webhookCases } from './webhook-cases.ts';

/*
 * Each public route, tried by one tenant on what belongs to another. The response to what is not one's own is exactly the one to what does not
 * exist. A route without a case here fails the first test.
 */

const neighbours = useNeighbours();
const { stage, owner, stranger } = neighbours;
/** What one warehouse has is tried by another in warehouse-isolation.test.ts. */
const ofTenants = routes.filter(({ access }) => access !== 'warehouse').map(({ id }) => id);
const cases: Cases = {
  ...forecastCases(neighbours),
  ...manyCases(neighbours),
  ...fileCases(neighbours),
  ...importCases(neighbours),
  listWarehouses: async () => {
    // Warehouses are the platform's and the same for all; nothing of a tenant is in the list.
    const [mine, theirs] = await Promise.all([owner, stranger].map(({ client }) => expectRoute(client, 'listWarehouses')));
    expect(theirs).toEqual(mine);
  },
  ...webhookCases(neighbours),
  ...accountCases(neighbours),
};

test('every route has a case, and every case a route', () => {
  expect(Object.keys(cases).sort()).toEqual(ofTenants.toSorted());
});

describe('what belongs to another tenant', () => {
  test.each(ofTenants)('is out of reach through %s', async (id) => {
    await (cases[id] as () => Promise<void>)();
  });

  test('is never mixed up when both use the same po_number at the same time', async () => {
    const poNumber = newPoNumber();
    const other = await stage.operator.newMerchant();
    await Promise.all([owner.submit({ poNumber, forecastType: 1, items: 1 }), other.submit({ poNumber, forecastType: 1, items: 2 })]);
    await owner.simulate({ po_number: poNumber, step: 'weigh', weight_kg: 1 });
    await other.simulate({ po_number: poNumber, step: 'weigh', weight_kg: 2 });
    const weights = await until(async () => {
      const found = await Promise.all([owner, other].map(async (merchant) => (await merchant.weighing(poNumber)).weight_kg));
      return found.every((weight) => weight !== null) ? found : undefined;
    });
    expect(weights).toEqual([1, 2]);
  });
});
