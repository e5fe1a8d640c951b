import { describe, expect, test } from '@jest/globals';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import fc from 'fast-check';
import type { CanonicalForecast } from '../../store/domain/canonical.ts';
import type { Fact, ForecastFact } from '../../store/domain/fact.ts';
import { type ForecastRecord, initialProgress } from '../../store/domain/forecast.ts';
import type { ForecastWrite, KnownForecast } from '../../store/domain/known-forecast.ts';
import { HOLD_TERM, numberTerm, warehouseTerm } from '../../store/domain/search-terms.ts';
import { dispatchAt, exceptionAt, photo, record, reportAt } from '../../testing/samples.ts';
import { decideFacts } from './decide-facts.ts';

const NOW = 5000;

const content: CanonicalForecast = { po_number: 'PO', forecast_type: 2, warehouse_code: 'WH1', items: [] };
const known = (one: ForecastRecord, over: Partial<KnownForecast> = {}): KnownForecast => ({
  record: one,
  version: 1,
  isShown: true,
  applied: new Set(),
  whole: { record: one, content, corrections: [] },
  ...over,
});

const decide = (facts: readonly ForecastFact[], state: readonly KnownForecast[]) => decideFacts(facts, state, NOW);

function after({ known: before, state, content: change, updatedAt, applied }: ForecastWrite): KnownForecast {
  const {
    claims: _,
    content: text = before.whole?.content ?? content,
    corrections = before.whole?.corrections ?? [],
    ...fields
  } = change ?? {};
  const record = { ...before.record, ...fields, ...state, updatedAt };
  const ids = applied.map(({ eventId }) => eventId);
  return {
    ...before,
    record,
    version: before.version + 1,
    applied: new Set([...before.applied, ...ids]),
    whole: { record, content: text, corrections },
  };
}

const about = (forecastNo: string, fact: Fact, eventId: string): ForecastFact => ({ tenantId: 'tnt_a', forecastNo, fact, eventId });
const arrival = (forecastNo: string, at: number, warehouse_code = 'WH1'): ForecastFact =>
  about(forecastNo, { step: 'warehouse.arrived', report: reportAt(at, { warehouse_code }) }, `a${at}`);
const dispatch = (forecastNo: string, at: number): ForecastFact =>
  about(forecastNo, { step: 'warehouse.dispatched', report: reportAt(at), dispatch: dispatchAt(at, `T${at % 2}`) }, `d${at}`);
const ended = (forecastNo: string, at: number): ForecastFact =>
  about(forecastNo, { step: 'tracking.ended', trackingNumber: `T${at % 2}` }, `t${at}`);

const no = fc.constantFrom('F1', 'F2', 'R1', 'F9');
const at = fc.integer({ min: 1, max: 4 });
const fact = fc.oneof(
  fc.tuple(no, at, fc.constantFrom('WH1', 'WH2')).map(([one, when, code]) => arrival(one, when, code)),
  fc.tuple(no, at).map(([one, when]) => dispatch(one, when)),
  fc.tuple(no, at).map(([one, when]) => ended(one, when)),
);
const start = (): KnownForecast[] =>
  [record('F1'), record('F2', { status: 7 }), record('R1', { forecastType: 1 })].map((one) => known(one));

function inBatches(facts: readonly ForecastFact[], size: number) {
  const states = new Map(start().map((one) => [one.record.forecastNo, one]));
  const messages = new Map<string, unknown[]>();
  const refused: string[] = [];
  for (let index = 0; index < facts.length; index += size) {
    const decision = decide(facts.slice(index, index + size), [...states.values()]);
    for (const write of decision.writes) {
      const { forecastNo } = write.known.record;
      states.set(forecastNo, { ...after(write), version: 1 });
      messages.set(forecastNo, [...(messages.get(forecastNo) ?? []), ...write.messages]);
    }
    refused.push(...decision.refused.map(({ code }) => code));
    expect(decision.needContent.size).toBe(0);
  }
  return { states, messages, refused };
}

test('a batch comes to the same as its facts one by one', () => {
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 15 }), fc.integer({ min: 2, max: 15 }), (facts, size) => {
      const inclusive = (result: ReturnType<typeof inBatches>) => ({
        ...result,
        messages: [...result.messages].filter(([, list]) => list.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      });
      expect(inclusive(inBatches(facts, size))).toEqual(inclusive(inBatches(facts, 1)));
    }),
  );
});

describe('a decision', () => {
  test('about a parcel that is elsewhere needs the content, and leaves other forecasts as they are', () => {
    const { whole: _, ...withoutContent } = known(record('F1'));
    const facts = [arrival('F1', 1, 'WH2'), arrival('F2', 1), ended('F1', 2)];
    const first = decide(facts, [withoutContent, known(record('F2'))]);
    expect([...first.needContent]).toEqual(['tnt_a F1']);
    expect(first.writes.map((write) => write.known.record.forecastNo)).toEqual(['F2']);
    const second = decide(facts, [known(record('F1')), known(record('F2'))]);
    expect(second.needContent.size).toBe(0);
    expect(second.writes[0]).toMatchObject({
      state: { status: 6 },
      content: { contentVersion: 2, warehouseCode: 'WH2', claims: null },
    });
    expect(second.writes[0]?.messages.map(({ message }) => message.type)).toEqual([
      'forecast.corrected',
      'parcel.arrived',
      'parcel.completed',
    ]);
  });

  test('about what a forecast is found by needs the content', () => {
    const held = about('F1', { step: 'warehouse.held', reason: null, report: reportAt(1) }, 'h1');
    const released = about('F1', { step: 'warehouse.released', report: reportAt(2) }, 'r2');
    const { whole: _, ...withoutContent } = known(record('F1'));
    for (const one of [held, dispatch('F1', 3)]) expect([...decide([one], [withoutContent]).needContent]).toEqual(['tnt_a F1']);
    expect(decide([arrival('F1', 1)], [withoutContent]).writes[0]).not.toHaveProperty('terms');
    const [onHold] = decide([held], [known(record('F1'))]).writes as [ForecastWrite];
    expect(onHold.terms).toEqual([warehouseTerm('WH1'), HOLD_TERM]);
    const [write] = decide([released, dispatch('F1', 3)], [after(onHold)]).writes;
    expect(write?.terms).toEqual([warehouseTerm('WH1'), numberTerm('T1')]);
  });

  test('publishes nothing but a dispatch of a forecast that no query shows', () => {
    const { writes } = decide([arrival('F1', 1), dispatch('F1', 2)], [known(record('F1', { status: 7 }), { isShown: false })]);
    expect(writes[0]?.messages.map(({ message }) => message.type)).toEqual(['forecast.dispatched']);
    expect(writes[0]?.applied).toHaveLength(2);
  });

  test('refuses reports that were matched with a cancelled forecast each time, and takes those that name it', () => {
    const [submitted] = record('F1').progress.history;
    const progress = {
      ...initialProgress(0),
      history: [
        { ...submitted, status: 1, at: 0, reason: '' },
        { status: 7, at: 3000, reason: '' },
      ] as const,
    };
    const cancelled = known(record('F1', { status: 7, progress }), { applied: new Set(['a1']) });
    const matched = [arrival('F1', 1), arrival('F1', 2)].map((one) => ({ ...one, isMatched: true }));
    const [write] = decide(matched, [cancelled]).writes;
    expect(write).toMatchObject({ updatedAt: 1000, applied: [], state: { status: 7, progress } });
    const data = { forecast_no: 'F1', warehouse_code: 'WH1', event_id: 'e2', cancelled_at: '1970-01-01T00:00:03.000+00:00' };
    expect(write?.messages).toMatchObject([{ message: { type: 'forecast.report_refused', data: { ...data, photos: [] } } }]);
    expect(decide(matched, [after(write as ForecastWrite)]).writes[0]?.messages).toHaveLength(1);
    expect(decide([arrival('F1', 2)], [cancelled]).writes[0]?.applied).toMatchObject([{ eventId: 'a2' }]);
    expect(decide(matched, [known(record('F1'))]).writes[0]?.applied).toHaveLength(2);
  });

  test('names the photos of a refused report that the cancelled forecast does not show anyway', () => {
    const [shown, other] = ['a', 'b'].map((letter, id) =>
      photo(id, { image_url: `https://x.example/photos/${letter.repeat(22)}.jpg` }),
    ) as [EventPhoto, EventPhoto];
    const history = [{ status: 7, at: 3000, reason: '' }] as const;
    const progress = { ...initialProgress(0), history, exceptions: [exceptionAt(1, shown)] };
    const exception = exceptionAt(1, shown, other, other);
    const refused = { ...about('F1', { step: 'warehouse.exception', exception, report: reportAt(1) }, 'x1'), isMatched: true };
    const [write] = decide([refused], [known(record('F1', { status: 7, progress }))]).writes;
    expect(write?.messages).toMatchObject([{ message: { type: 'forecast.report_refused', data: { photos: ['b'.repeat(22)] } } }]);
  });

  test('refuses a fact of an unknown forecast and a dispatch of type 1', () => {
    const facts = [arrival('F9', 1), dispatch('R1', 1), arrival('R1', 2)];
    const { writes, refused } = decide(facts, [known(record('R1', { forecastType: 1 }))]);
    expect(refused.map(({ code }) => code)).toEqual(['40403', '40902']);
    expect(writes).toMatchObject([{ state: { status: 2 }, applied: [{ eventId: 'a2', type: 'warehouse.arrived' }] }]);
  });
});
