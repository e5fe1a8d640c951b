import { expect, test } from '@jest/globals';
import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { isoInstant } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { NOW } from '../../testing/samples.ts';
import { forecastSnapshot } from '../../testing/snapshot-samples.ts';
import { viewForecast } from '../../testing/view-samples.ts';
import { dispatched, documented, held, progressed, type ViewForecast, withContent } from './forecast-copy.ts';
import { withSnapshot } from './view-snapshot.ts';

const subject = { forecast_no: 'FC1', po_number: 'PO-FC1' };
function eventOf<T extends DomainEventType>(type: T, data: DomainEventData<T>, time: number): DomainEvent<T> {
  const envelope = { publisher: 'forecast', tenantId: 'tnt_a', environment: 'sandbox', subject: 'FC1', time } as const;
  return createDomainEvent({ ...envelope, type, data } as Parameters<typeof createDomainEvent>[0]) as DomainEvent<T>;
}

type Step = (before: ViewForecast | undefined) => ViewForecast;
const at = isoInstant(NOW);
const { content } = forecastSnapshot('FC1');
const label = (version: number) => ({ version, marketplace_label: `label ${version}`, packing_slip: `slip ${version}` });
const holds = (released_at: string | null) => [{ reason: 'wet', held_at: at, released_at }];
const happened = { ...subject, status: 2, warehouse_code: 'WH1', occurred_at: at };
const dispatch = (carrier_code: string) => ({ carrier_code, tracking_number: 'T1', dispatched_at: at });

/** The life of a forecast, one event a second: what each makes of the view, and what the forecast service has after it. */
const accepted = eventOf('forecast.accepted', content, NOW);
const labelled = eventOf('documents.generated', { ...subject, ...label(1), generated_at: at }, NOW + 1000);
const corrected = eventOf(
  'forecast.corrected',
  {
    ...content,
    version: 2,
    warehouse_code: 'WH2',
    status: 1,
    changed: ['warehouse_code'],
    previous_warehouse_code: 'WH1',
    corrected_at: at,
  },
  NOW + 2000,
);
const arrived = eventOf('parcel.arrived', happened, NOW + 3000);
const keptBack = eventOf('parcel.held', { ...happened, reason: 'wet', hold_reports: 1, on_hold: true, holds: holds(null) }, NOW + 4000);
const letGo = eventOf('parcel.released', { ...happened, hold_reports: 2, on_hold: false, holds: holds(at) }, NOW + 5000);
const left = eventOf('forecast.dispatched', { ...subject, ...dispatch('dhl'), status: 5 }, NOW + 6000);
const leftAgain = eventOf('forecast.dispatched', { ...subject, ...dispatch('ups'), status: 5 }, NOW + 7000);
const second = { ...content, version: 2, warehouse_code: 'WH2' };
const life: readonly { readonly step: Step; readonly snapshot: ReturnType<typeof forecastSnapshot> }[] = [
  { step: (before: ViewForecast | undefined) => withContent(before, accepted), snapshot: forecastSnapshot('FC1') },
  { step: (before: ViewForecast | undefined) => documented(before, labelled), snapshot: forecastSnapshot('FC1', { documents: label(1) }) },
  {
    step: (before: ViewForecast | undefined) => withContent(before, corrected),
    snapshot: forecastSnapshot('FC1', { documents: label(1), content: second }),
  },
  {
    step: (before: ViewForecast | undefined) => progressed(before, arrived),
    snapshot: forecastSnapshot('FC1', { status: 2, documents: label(1), content: second }),
  },
  {
    step: (before: ViewForecast | undefined) => held(before, keptBack),
    snapshot: forecastSnapshot('FC1', {
      status: 2,
      documents: label(1),
      content: second,
      holding: { hold_reports: 1, on_hold: true, holds: holds(null) },
    }),
  },
  ...[
    { step: (before: ViewForecast | undefined) => held(before, letGo), status: 2, dispatch: null },
    { step: (before: ViewForecast | undefined) => dispatched(before, left), status: 5, dispatch: dispatch('dhl') },
    { step: (before: ViewForecast | undefined) => dispatched(before, leftAgain), status: 5, dispatch: dispatch('ups') },
  ].map(({ step, ...changes }) => ({
    step,
    snapshot: forecastSnapshot('FC1', {
      ...changes,
      documents: label(1),
      content: second,
      holding: { hold_reports: 2, on_hold: false, holds: holds(at) },
    }),
  })),
].map(({ step, snapshot }, index) => ({ step, snapshot: { ...snapshot, as_of: isoInstant(NOW + 1000 * index) } }));

/** Who said it does not show. */
const shown = (forecast: ViewForecast): unknown =>
  JSON.parse(JSON.stringify(forecast, (key, value: unknown) => (key === 'told' ? undefined : value)));
const whole = shown(life.reduce((before: ViewForecast | undefined, { step }) => step(before), undefined) as ViewForecast);

test('a forecast that no event has reported is shown as it is', () => {
  const last = life.at(-1)?.snapshot as ReturnType<typeof forecastSnapshot>;
  expect(shown(withSnapshot(undefined, last))).toEqual(whole);
});

test('a snapshot of any moment, applied at any other, brings what was missed and undoes nothing', () => {
  const position = fc.nat({ max: life.length - 1 });
  fc.assert(
    fc.property(position, position, fc.nat({ max: life.length }), (of, one, other) => {
      const { snapshot } = life[of] as (typeof life)[number];
      // The events up to `first` were missed. A snapshot that is applied before them has no event after it that it lacks.
      const first = Math.min(one, of + 1);
      const appliedAt = Math.max(first, other);
      let view: ViewForecast | undefined;
      life.forEach(({ step }, index) => {
        if (index === appliedAt) view = withSnapshot(view, snapshot);
        if (index >= first) view = step(view);
      });
      if (appliedAt === life.length) view = withSnapshot(view, snapshot);
      expect(shown(view as ViewForecast)).toEqual(whole);
    }),
  );
});

test('what is known changes nothing, however often it comes', () => {
  for (const { snapshot } of life) {
    const once = withSnapshot(undefined, snapshot);
    expect(withSnapshot(once, snapshot)).toBe(once);
  }
});

test('it completes what an event of a former release contains of the same version', () => {
  const former = viewForecast({
    poNumber: 'PO-FC1',
    content: { ...(viewForecast().content as never as object), dueDate: null, itemCount: 0 } as never,
  });
  expect(withSnapshot(former, forecastSnapshot('FC1'))).toMatchObject({ content: { dueDate: '2026-12-01', itemCount: 1 } });
});
