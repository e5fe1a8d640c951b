import type { Merchant } from '@parcelway/harness/merchant';

/** A parcel that has been weighed, photographed and sent, and is under way. @returns its po_number */
export async function parcelUnderWay(owner: Merchant, poNumber?: string): Promise<string> {
  const { po_number } = await owner.submit(poNumber === undefined ? {} : { poNumber });
  await owner.simulate({ po_number, step: 'arrive', image_types: ['package', 'document'] });
  await owner.simulate({ po_number, step: 'weigh', photos: 2, weight_kg: 2.415, length_cm: 32.5, width_cm: 24, height_cm: 11.2 });
  await owner.untilStatus(po_number, 3);
  await owner.simulate({ po_number, step: 'process' });
  await owner.simulate({ po_number, step: 'dispatch' });
  await owner.untilShipped(po_number);
  const track = { po_number, step: 'track', times: '(GMT+08:00)' } as const;
  await owner.simulate({
    ...track,
    admin_status: 'Picked Up',
    content: 'Picked up by the carrier',
    address: 'Shenzhen',
    create_time: '2026-11-20 19:40:00',
  });
  await owner.simulate({
    ...track,
    admin_status: 'In Transit',
    content: 'Departed from the sorting centre',
    address: 'Hong Kong',
    create_time: '2026-11-21 08:05:00',
  });
  return po_number;
}
