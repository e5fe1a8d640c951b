import { decodePhotoId } from '@parcelway/contracts/file-receipt';
import { sealShipmentDetails } from '@parcelway/contracts/shipment-details';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { type JudgeOptions, judge, type Refusal } from '../reports/domain/judge.ts';
import { FILE_SECRET, NOW } from './samples.ts';

/** Seals with the secret of the tests. */
export const sealer = createTextSealer([FILE_SECRET]);

/** What a report is judged against. */
export const context: JudgeOptions = {
  warehouseCode: 'WH1',
  environment: 'sandbox',
  now: NOW,
  readReceipt: (id) => decodePhotoId(FILE_SECRET, id),
  sealDetails: (owner, report) => sealShipmentDetails(sealer, owner, report),
};

/** The error that a report is refused with. */
export function refusalOf(raw: unknown, given: Partial<JudgeOptions> = {}): Refusal {
  const judgement = judge(raw, { ...context, ...given });
  if (!('refusal' in judgement)) throw new Error('the report was taken');
  return judgement.refusal;
}
