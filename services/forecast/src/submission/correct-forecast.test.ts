import { expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import fc from 'fast-check';
import { readForecast } from '../lists/query-forecasts.ts';
import { trackingNumbersOf } from '../store/domain/canonical.ts';
import type { Fact } from '../store/domain/fact.ts';
import { holdsTrackingNumbers } from '../store/domain/held-numbers.ts';
import { openUseCases } from '../testing/open-use-cases.ts';
import { reportAt } from '../testing/samples.ts';

/* Random histories of two forecasts that want the same numbers: at the end, everything that the platform says of them agrees. */

const TENANT = 'tnt_a';
/** Items with these numbers; without any, one that has none. */
const itemsOf = (numbers: readonly string[]) => {
  const item = { sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1 };
  return numbers.length === 0 ? [item] : numbers.map((tracking_number) => ({ ...item, tracking_number }));
};

type Service = ReturnType<typeof openUseCases>;

const submission = (poNumber: string, numbers: readonly string[]) => ({
  po_number: poNumber,
  warehouse_code: 'WH1',
  shipping_label: 'https://a/label',
  shipping_note: 'https://a/note',
  items: itemsOf(numbers),
});

const poNumber = fc.constantFrom('PO-1', 'PO-2');
const numbers = fc.uniqueArray(fc.constantFrom('AAAA', 'BBBB', 'CCCC', 'DDDD'), { maxLength: 3 });
// One without any field is refused for its shape, which is not the matter here.
const correction: fc.Arbitrary<ForecastCorrection> = fc
  .record(
    {
      due_date: fc.constantFrom('2026-12-24', '2026-12-25', null),
      warehouse_code: fc.constantFrom('WH1', 'WH2'),
      shipping_label: fc.constantFrom('https://a/label', 'https://a/label2'),
      carton_count: fc.constantFrom(1, 2, null),
      items: numbers.map(itemsOf),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .filter((some) => Object.keys(some).length > 0);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      poNumber,
      correction,
      version: fc.option(fc.integer({ min: 1, max: 4 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('submit' as const), poNumber, numbers }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), poNumber }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('arrive' as const, 'complete' as const), poNumber }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let reports = 0;

async function play(service: Service, one: Step): Promise<unknown> {
  const { poNumber: po } = one;
  if (one.kind === 'submit') return service.submit(TENANT, submission(po, one.numbers));
  if (one.kind === 'cancel') return service.cancel(TENANT, po);
  if (one.kind === 'correct') {
    const ifMatch = one.version === null ? undefined : `"${one.version}"`;
    return service.correct({ tenantId: TENANT, poNumber: po, body: one.correction, ifMatch, keyId: 'key_1', seed: undefined });
  }
  const { record } = await readForecast(service.store, TENANT, po);
  reports += 1;
  const report = reportAt(reports);
  const fact: Fact = one.kind === 'arrive' ? { step: 'warehouse.arrived', report } : { step: 'tracking.ended', trackingNumber: 'T1' };
  return service.apply([{ tenantId: TENANT, forecastNo: record.forecastNo, eventId: `e${reports}`, fact }]);
}

const REFUSALS = ['40401', '40901', '40902', '41201', '42202'];

async function check(service: Service): Promise<void> {
  const events = await service.published();
  const held: string[] = [];
  for (const po of ['PO-1', 'PO-2']) {
    if ((await service.store.findByPoNumber(TENANT, po)) === undefined) continue;
    const { record, content, corrections } = await readForecast(service.store, TENANT, po);
    const published = events.filter(({ subject, type }) => subject === record.forecastNo && /^forecast\.(accepted|corrected)$/.test(type));
    const last = published.at(-1) as DomainEvent<'forecast.corrected'>;
    // Every version was published once, in order, and the last message says what a read says.
    expect(published.map(({ data }) => (data as { version: number }).version)).toEqual(published.map((_, index) => index + 1));
    expect(record.contentVersion).toBe(published.length);
    // Every parcel arrives at WH1, whatever a correction said a moment before.
    if (record.status === 2) expect(record.warehouseCode).toBe('WH1');
    expect(corrections.map(({ version }) => version)).toEqual(published.slice(1).map((_, index) => index + 2));
    expect(last.data).toMatchObject({
      warehouse_code: content.warehouse_code,
      due_date: content.due_date ?? null,
      carton_count: content.carton_count ?? null,
      tracking_numbers: trackingNumbersOf(content),
      items: content.items,
    });
    expect(record).toMatchObject({
      warehouseCode: content.warehouse_code,
      dueDate: content.due_date ?? null,
      itemCount: content.items.length,
    });
    // What was submitted is what its first message says; the corrections lead from there to what is read.
    const first = published[0]?.data as DomainEvent<'forecast.accepted'>['data'];
    const dates = corrections.flatMap(({ changes }) => changes.filter(({ field }) => field === 'due_date'));
    const ends = [first.due_date ?? null, ...dates.map(({ to }) => to)];
    expect(dates.map(({ from }) => from)).toEqual(ends.slice(0, -1));
    expect(ends.at(-1)).toBe(content.due_date ?? null);
    if (holdsTrackingNumbers(record.status, record.forecastType)) held.push(...trackingNumbersOf(content));
    // The same content again is the same forecast; it is shown as submitted.
    if (record.status !== 7) expect(await service.submit(TENANT, content)).toMatchObject({ forecastNo: record.forecastNo, replayed: true });
  }
  // A number has one holder, and is held exactly while a live forecast declares it.
  const claims = service.db.all<{ claims: string }>('SELECT claims FROM forecasts__claims ORDER BY claims');
  expect(claims.map((row) => row.claims)).toEqual([...held].sort());
}

const codeOf = (reason: unknown): string => String((reason as { readonly code?: unknown }).code ?? reason);

test('whatever happens to forecasts one after the other, everything that describes them agrees', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const service = openUseCases();
      for (const one of steps) {
        const before = await service.published();
        const refusal = await play(service, one).then(
          () => undefined,
          (reason: unknown) => codeOf(reason),
        );
        if (refusal === undefined) continue;
        expect(REFUSALS).toContain(refusal);
        expect(await service.published()).toEqual(before);
      }
      await check(service);
      service.db.close();
    }),
    { numRuns: 50 },
  );
});

test('and at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), async (rounds) => {
      const service = openUseCases();
      for (const steps of rounds) {
        const results = await Promise.allSettled(steps.map((one) => play(service, one)));
        for (const result of results) if (result.status === 'rejected') expect(REFUSALS).toContain(codeOf(result.reason));
      }
      await check(service);
      service.db.close();
    }),
    { numRuns: 40 },
  );
});
