import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';

/** A parcel that has been weighed, photographed and sent, and is under way. @returns its po_number */
export async function parcelUnderWay(owner: Merchant): Promise<string> {
  const { po_number } = await owner.submit();
  await owner.simulate({ po_number, step: 'arrive', image_types: ['package', 'document'] });
  await owner.simulate({ po_number, step: 'weigh', photos: 2, weight_kg: 2.415, length_cm: 32.5, width_cm: 24, height_cm: 11.2 });
  await owner.untilStatus(po_number, 3);
  await owner.simulate({ po_number, step: 'process' });
  await owner.simulate({ po_number, step: 'dispatch' });
  await owner.untilShipped(po_number);
  const move = { po_number, step: 'track', times: '(GMT+08:00)' } as const;
  const [picked, departed] = ['Picked up by the carrier', 'Departed from the sorting centre'];
  await owner.simulate({ ...move, admin_status: 'Picked Up', content: picked, address: 'Shenzhen', create_time: '2026-11-20 19:40:00' });
  await owner.simulate({
    ...move,
    admin_status: 'In Transit',
    content: departed,
    address: 'Hong Kong',
    create_time: '2026-11-21 08:05:00',
  });
  return po_number;
}

/** A parcel that was corrected, counted, weighed, found damaged, and is on hold. */
export interface TroubledParcel {
  readonly poNumber: string;
  /** Where the photo of the damage opens. */
  readonly damageUrl: string;
}

const at = (minute: number): string => `2026-11-21T08:${String(minute).padStart(2, '0')}:00+08:00`;
const piece = { declared_weight_kg: 0.4, declared_length_cm: 10, declared_width_cm: 10, declared_height_cm: 10 };

/** Takes a parcel through everything that a merchant may have to know of besides its status. */
export async function parcelInTrouble(clerk: WarehouseClerk, owner: Merchant): Promise<TroubledParcel> {
  const poNumber = newPoNumber();
  const lamps = (forecast_quantity: number) => [
    { sku_code: 'LAMP', product_name_en: 'Lamp', product_name_cn: '台灯', forecast_quantity, ...piece },
    { sku_code: 'SHADE', product_name_en: 'Shade', product_name_cn: '灯罩', forecast_quantity: 1, ...piece },
  ];
  const submitted = await owner.submitBody({ ...(await owner.body({ poNumber })), items: lamps(3) });
  const corrected = await owner.correct(poNumber, { items: lamps(2), due_date: '2026-12-01' });
  if (submitted.code !== '0' || corrected.code !== '0') throw new Error(`${submitted.text}\n${corrected.text}`);
  const { forecast_no } = submitted.data;
  const [damage, onScales] = [await clerk.photo(), await clerk.photo()];
  const counted = [
    { sku_code: 'LAMP', quantity: 1 },
    { sku_code: 'SHADE', quantity: 1 },
    { sku_code: 'MUG', quantity: 4 },
  ];
  await clerk.report(
    clerk.event({ type: 'hold', forecast_no, reason: 'Which customer is it for?', occurred_at: at(0) }),
    clerk.event({ type: 'release', forecast_no, occurred_at: at(1) }),
    clerk.event({ type: 'arrival', forecast_no, received_items: counted, occurred_at: at(1) }),
    clerk.weighing({ forecast_no, weight_kg: 1.3, occurred_at: at(1) }),
    clerk.weighing({ forecast_no, express_no: 'SF-1234', photo_ids: [onScales.photo_id], occurred_at: at(2) }),
    clerk.exception({ forecast_no, text: 'One corner is crushed', photo_ids: [damage.photo_id], occurred_at: at(3) }),
    clerk.event({ type: 'hold', forecast_no, reason: 'Customs asks for an invoice', occurred_at: at(4) }),
  );
  const isWhole = ({ status, on_hold, exceptions, measurements }: ForecastDetail) =>
    status === 3 && on_hold && exceptions.length === 1 && measurements.length === 2;
  await owner.untilForecast(poNumber, isWhole, 'every report and its documents');
  return { poNumber, damageUrl: damage.image_url };
}
