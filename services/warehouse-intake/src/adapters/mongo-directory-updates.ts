import type { ScannedNumber } from './mongo-event-scope.ts';

/** A number that is on the parcel of a forecast, at the warehouse that has the parcel. */
export interface NamedNumber extends ScannedNumber {
  readonly forecastNo: string;
}

/** In an update by pipeline: true when the document has the field. */
export const has = (field: string): object => ({ $ne: [{ $type: `$${field}` }, 'missing'] });

const listOf = (field: string): object => ({ $ifNull: [`$${field}`, []] });

/** In an update by pipeline: a list with the value, once. */
export const including = (field: string, value: object): object => ({
  $cond: [{ $in: [value, listOf(field)] }, `$${field}`, { $concatArrays: [listOf(field), [value]] }],
});

/**
 * The update by which a number is on the parcel of a forecast. A correction that was followed between the event and this write has taken neither the
 * number nor the warehouse away: a forecast whose parcel nobody had seen is where the parcel is.
 */
export const onParcel = ({ warehouseCode, number }: ScannedNumber): object => ({
  numbers: including('numbers', { $literal: number }),
  claimed: including('claimed', { $literal: number }),
  warehouse_code: {
    $cond: [{ $eq: [{ $concatArrays: [listOf('claimed'), listOf('assigned')] }, []] }, { $literal: warehouseCode }, '$warehouse_code'],
  },
});

/** Of a forecast that a number can be on the parcel of. */
export const isOpen = (forecastNo: string): object => ({ _id: forecastNo, tenant_id: { $exists: true }, cancelled_at: { $exists: false } });
