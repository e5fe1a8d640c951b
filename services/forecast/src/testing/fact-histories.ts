import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import fc from 'fast-check';
import type { Step } from '../facts/domain/status-transitions.ts';
import type { ForecastType } from '../store/domain/canonical.ts';
import type { Fact } from '../store/domain/fact.ts';
import { initialProgress, type Progress, type WarehouseReport } from '../store/domain/forecast.ts';

/** A forecast as far as facts change it. */
export interface State {
  readonly status: ForecastStatus;
  readonly forecastType: ForecastType;
  readonly progress: Progress;
}

/** A forecast that was just accepted. */
export const fresh = (forecastType: ForecastType): State => ({ status: 1, forecastType, progress: initialProgress(0) });

const photo = (id: number) => ({ id, path: `p${id}`, url: `u${id}`, sizeByte: id, uploadTime: `t${id}`, uploadTimeMs: id % 3 });

/** Who reported something at an instant. */
export const reportAt = (at: number): WarehouseReport => ({
  warehouseCode: 'WH1',
  eventId: `e${at}`,
  expressNo: null,
  occurredAt: `at ${at}`,
  occurredAtMs: at,
});

/** A fact made of one number: equal numbers are the same report, different ones differ in instant. */
export function factOf(step: Step, at: number): Fact {
  if (step === 'tracking.ended' || step === 'tracking.resumed') return { step, trackingNumber: `T${at % 3}` };
  const report = reportAt(at);
  if (step === 'warehouse.weighed') {
    const measurement = {
      lengthCm: 1,
      widthCm: 1,
      heightCm: 1,
      weightKg: at + 1,
      weighedAt: `at ${at}`,
      weighedAtMs: at,
      reportedBy: report,
    };
    return { step, report, measurement, photos: [{ ...photo(at), expressNo: '' }] };
  }
  if (step === 'warehouse.photographed') return { step, report, photo: { ...photo(at), imageType: 'package', imageOrder: at % 4 } };
  if (step === 'warehouse.dispatched') {
    return { step, report, dispatch: { carrierCode: 'acme', trackingNumber: `T${at % 3}`, dispatchedAt: `at ${at}`, dispatchedAtMs: at } };
  }
  if (step === 'warehouse.exception') {
    return { step, report, exception: { reason: 'damaged', text: null, photos: [photo(at)], occurredAt: `at ${at}`, occurredAtMs: at } };
  }
  if (step === 'warehouse.held') return { step, report, reason: at % 2 === 0 ? null : 'customs' };
  if (step === 'warehouse.released') return { step, report };
  return at % 3 === 0 ? { step, report } : { step, report, receivedItems: [{ skuCode: 'A', quantity: at }] };
}

/** Everything that can happen. */
export const steps: readonly Step[] = [
  'warehouse.arrived',
  'warehouse.weighed',
  'warehouse.photographed',
  'warehouse.processed',
  'warehouse.put-away',
  'warehouse.dispatched',
  'warehouse.exception',
  'warehouse.held',
  'warehouse.released',
  'tracking.ended',
  'tracking.resumed',
];

/** Any type of forecast. */
export const type = fc.constantFrom<ForecastType>(1, 2);

/** Steps that can happen to a forecast of that type: a type 1 takes no dispatch. */
export const stepsOf = (forecastType: ForecastType): readonly Step[] =>
  steps.filter((step) => forecastType === 2 || step !== 'warehouse.dispatched');

const reportsOf = (forecastType: ForecastType) =>
  fc.uniqueArray(fc.record({ step: fc.constantFrom(...stepsOf(forecastType)), at: fc.nat(50) }), {
    maxLength: 20,
    selector: ({ step, at }) => `${step} ${at}`,
  });

/** A type of forecast, and reports on one. */
export const reported = type.chain((forecastType) => fc.tuple(fc.constant(forecastType), reportsOf(forecastType)));
