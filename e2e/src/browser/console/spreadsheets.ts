import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import type { Stage } from '../../stage.ts';

/** Titles of which one, `Menge`, is known to nobody. */
export const TITLES = 'PO number,Warehouse,Type,SKU,Product name,Menge';

/** A spreadsheet of `count` parcels, of which those at `faulty` have no pieces. */
export function spreadsheet({ identity }: Merchant, count: number, faulty: readonly number[]): Buffer {
  const prefix = newPoNumber('IMP');
  const rows = Array.from({ length: count }, (_, index) => {
    const pieces = faulty.includes(index) ? 0 : 2;
    return `${prefix}-${index},${identity.warehouseCode},1,SKU-${index},Lamp,${pieces}`;
  });
  return Buffer.from([TITLES, ...rows].join('\r\n'));
}

/** A merchant whose warehouse is known everywhere. */
export async function readyMerchant(stage: Stage): Promise<Merchant> {
  const owner = await stage.operator.newMerchant();
  await owner.untilAccepted(await owner.body({ forecastType: 1 }));
  return owner;
}
