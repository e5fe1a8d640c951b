import { expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { createApplyFacts } from '../facts/apply-facts.ts';
import { createCancelForecast } from '../submission/cancel-forecast.ts';
import { listedNos } from '../testing/listed.ts';
import { ModelForecastStore } from '../testing/model-forecast-store.ts';
import { forecast, type OpenForTest, shownIdOf } from '../testing/store-under-test.ts';
import type { CanonicalForecast, ForecastType } from './domain/canonical.ts';
import type { Fact, ForecastFact } from './domain/fact.ts';
import type { ListFilters } from './domain/list-filters.ts';
import { contentTerms } from './domain/search-terms.ts';
import { ForecastWriter } from './forecast-writer.ts';
import type { ForecastChanges, InsertOutcome } from './ports.ts';

const TENANT = 'tnt_a';
/** Forecasts that exist at the beginning; F3 gets the po_number of F1 once that is cancelled. F9 does not exist. */
const FIRST = ['F1', 'F2'] as const;
const NUMBERS = [...FIRST, 'F3', 'F9'] as const;

const types = (no: string): ForecastType => (no === 'F2' ? 1 : 2);
const poNumberOf = (no: string): string => (no === 'F3' ? 'PO-F1' : `PO-${no}`);

const content = (no: string) =>
  JSON.stringify({
    po_number: poNumberOf(no),
    forecast_type: types(no),
    warehouse_code: 'WH1',
    items: [{ sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1 }],
  });

const steps = ['arrived', 'weighed', 'processed', 'put-away', 'dispatched', 'held', 'released', 'ended', 'resumed'] as const;

/** A fact of a few numbers: equal numbers are the same report. */
const reported = fc
  .record({
    no: fc.constantFrom(...NUMBERS),
    step: fc.constantFrom(...steps),
    at: fc.integer({ min: 1, max: 6 }),
    warehouseCode: fc.constantFrom('WH1', 'WH1', 'WH1', 'WH2'),
  })
  .map(({ no, step, at, warehouseCode }): ForecastFact => {
    const about = { tenantId: TENANT, forecastNo: no };
    const event = { ...about, eventId: `${step} ${at} ${warehouseCode}` };
    if (step === 'ended' || step === 'resumed') return { ...event, fact: { step: `tracking.${step}`, trackingNumber: `T${at}` } };
    const report = { warehouseCode, eventId: `${step} ${at}`, expressNo: null, occurredAt: `2026-11-24T00:00:0${at}Z`, occurredAtMs: at };
    return { ...event, fact: factOf(step, report, at) };
  });

type Report = Extract<Fact, { readonly step: 'warehouse.released' }>['report'];

function factOf(step: Exclude<(typeof steps)[number], 'ended' | 'resumed'>, report: Report, at: number): Fact {
  switch (step) {
    case 'weighed': {
      const measurement = {
        lengthCm: 1,
        widthCm: 1,
        heightCm: 1,
        weightKg: at,
        weighedAt: report.occurredAt,
        weighedAtMs: at,
        reportedBy: report,
      };
      return { step: 'warehouse.weighed', report, measurement, photos: [] };
    }
    case 'dispatched': {
      const dispatch = { carrierCode: 'acme', trackingNumber: `T${at}`, dispatchedAt: report.occurredAt, dispatchedAtMs: at };
      return { step: 'warehouse.dispatched', report, dispatch };
    }
    case 'held':
      return { step: 'warehouse.held', report, reason: 'customs' };
    case 'released':
      return { step: 'warehouse.released', report };
    default: {
      const receivedItems = at % 2 === 0 ? { receivedItems: [{ skuCode: 'S', quantity: at }] } : {};
      return { step: `warehouse.${step}`, report, ...receivedItems };
    }
  }
}

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('facts' as const), facts: fc.array(reported, { minLength: 1, maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), no: fc.constantFrom(...FIRST) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'insert' as const }) },
);

/** Filters of each kind, and some together. */
const everyFilter: readonly ListFilters[] = [
  {},
  { forecastNo: 'F1', warehouseCode: 'WH2' },
  { poNumber: 'PO-F1' },
  { trackingNumber: 'T2' },
  { trackingNumber: 'T3', skuCode: 'S', status: 5 },
  { skuCode: 'S' },
  { poPrefix: 'PO-F' },
  { poPrefix: 'PO-', trackingNumber: 'T1' },
  { warehouseCode: 'WH1' },
  { warehouseCode: 'WH2', status: 5 },
  { warehouseCode: 'WH1', status: 7 },
  { updatedFrom: 3000, status: 2 },
  { updatedTo: 5000 },
  { createdTo: 1001 },
];

const codeOf = (reason: unknown): string => String((reason as { readonly code?: unknown }).code ?? reason);

/** The use cases over a store, and the codes of their refusals. */
function useCasesOver(store: ForecastChanges, findByPoNumber: Parameters<typeof createCancelForecast>[0]['store'], clock: ManualClock) {
  const writer = new ForecastWriter({ store, environment: 'sandbox', notify: () => undefined });
  const apply = createApplyFacts({ writer, clock });
  const cancel = createCancelForecast({ store: findByPoNumber, writer, clock });
  const outcomeOf = (done: Promise<unknown>): Promise<string> => done.then(() => 'done', codeOf);
  return {
    apply: (facts: readonly ForecastFact[]) => outcomeOf(apply(facts)),
    cancel: (no: string) => outcomeOf(cancel(TENANT, poNumberOf(no))),
  };
}

/** What a message says, by forecast: forecasts are published side by side, the messages of one in their order. */
function messagesOf(values: readonly string[]): unknown {
  const events = values.map(decodeEvent).map(({ type, subject, time, data }) => ({ type, subject, time, data }));
  return NUMBERS.map((no) => events.filter(({ subject }) => subject === no));
}

/** Whatever comes to forecasts, in batches of whatever size: every store leaves the state and the messages that the simplest one leaves. */
export function describeForecastHistories(openStore: OpenForTest): void {
  test('random histories leave the same as in a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
        const open = await openStore();
        const { store } = open;
        const clock = new ManualClock(1000);
        const model = new ModelForecastStore();
        const insert = async (no: string): Promise<void> => {
          const text = content(no);
          const found = { content: text, terms: contentTerms(JSON.parse(text) as CanonicalForecast) };
          const one = forecast({ no, poNumber: poNumberOf(no), forecastType: types(no), createdAt: clock.now(), ...found });
          const outcome: InsertOutcome = await store.insert(one, () => []);
          if (outcome.kind === 'inserted') model.insert(one, outcome.forecastId, shownIdOf(outcome.forecastId));
        };
        for (const no of FIRST) await insert(no);
        const real = useCasesOver(store, store, clock);
        // Which forecast a po_number means is asked of the store under test alone: it is not what is compared here.
        const simple = useCasesOver(model, store, clock);
        for (const one of actions) {
          clock.advance(1000);
          if (one.kind === 'insert') await insert('F3');
          else if (one.kind === 'facts') expect(await real.apply(one.facts)).toBe(await simple.apply(one.facts));
          else {
            const expected = await simple.cancel(one.no);
            expect(await real.cancel(one.no)).toBe(expected);
          }
        }
        for (const no of NUMBERS) {
          const expected = model.stored(TENANT, no);
          const found = await store.readByForecastNo(TENANT, no);
          expect(found && { ...found, record: { ...found.record } }).toEqual(
            expected && { record: expected.record, content: expected.content, corrections: expected.corrections },
          );
          expect(await store.readReceivedItems(TENANT, no)).toEqual(expected?.receivedItems ?? []);
        }
        for (const filters of everyFilter)
          expect([filters, await listedNos(store, filters, { limit: 1 })]).toEqual([filters, model.listed(TENANT, filters)]);
        expect(messagesOf(await open.outbox())).toEqual(messagesOf(model.messages.map(({ value }) => value)));
        await open.close();
      }),
      { numRuns: 20 },
    );
  }, 60_000);
}
