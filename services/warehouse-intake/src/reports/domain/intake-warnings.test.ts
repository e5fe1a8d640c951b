import { describe, expect, test } from '@jest/globals';
import { type IntakeWarning, intakeWarningRules, MAX_INTAKE_WARNINGS } from '@parcelway/contracts/warehouse-api';
import { intakeEvent, report, weighing } from '../../testing/samples.ts';
import { MAX_KEPT_ERRORS, rememberedRejection } from './event-outcome.ts';
import {
  cutWarnings,
  defaultMeasureLimits,
  odditiesOf,
  readableEventId,
  repeatedSku,
  unknownFields,
  waitingWarning,
} from './intake-warnings.ts';

describe('the event_id of a report', () => {
  test.each([
    [{ event_id: 'e1' }, 'e1'],
    [{ event_id: 'a\u0000b' }, 'a\ufffdb'],
    [{ event_id: 5 }, null],
    [{}, null],
    [null, null],
    ['event_id', null],
    [undefined, null],
  ])('of %j is %j', (raw, id) => expect(readableEventId(raw)).toBe(id));

  test('is cut', () => {
    const long = 'x'.repeat(10_000);
    const shown = readableEventId({ event_id: long });
    expect(long.startsWith(shown ?? '-')).toBe(true);
    expect(shown?.length).toBeLessThan(300);
  });
});

describe('a count', () => {
  const entry = (sku_code: string) => ({ sku_code, quantity: 1 });

  test('is questioned at the first SKU that has several entries', () => {
    expect(repeatedSku({ received_items: ['A', 'B', 'B', 'A'].map(entry) })).toEqual([
      {
        field: 'received_items[2].sku_code',
        rule: 'implausible',
        message: 'SKU "B" has several entries in received_items; their quantities were added',
      },
    ]);
  });

  test('is not questioned when each SKU has one, nor is a report without', () => {
    expect(repeatedSku({ received_items: ['A', 'a'].map(entry) })).toEqual([]);
    expect(repeatedSku({})).toEqual([]);
  });
});

describe('of more warnings than there is room for', () => {
  const [gravest, ...others] = intakeWarningRules;
  const least = others.at(-1) as IntakeWarning['rule'];
  const warning = (index: number, rule: IntakeWarning['rule']): IntakeWarning =>
    ({ index, rule, field: 'x', message: 'x' }) as IntakeWarning;

  test('the gravest stay, in the order of the events', () => {
    const minor = Array.from({ length: MAX_INTAKE_WARNINGS }, (_, index) => warning(index, least));
    const kept = cutWarnings([...minor, warning(MAX_INTAKE_WARNINGS, gravest)]);
    expect(kept).toEqual([...minor.slice(0, -1), warning(MAX_INTAKE_WARNINGS, gravest)]);
  });

  test('what is of no event comes first', () => {
    const { index: _none, ...general } = warning(0, least);
    expect(cutWarnings([warning(1, least), warning(0, least), general as IntakeWarning])).toEqual([
      general,
      warning(0, least),
      warning(1, least),
    ]);
  });
});

describe('an event without a forecast', () => {
  const scanned = intakeEvent({ expressNo: 'N1' });
  const named = intakeEvent({ forecastNo: 'FC1' });

  test('waits for one that declares its number, or for the one that it names', () => {
    expect(waitingWarning(scanned, { reason: 'no_forecast' })).toEqual({
      field: 'express_no',
      rule: 'no_forecast',
      message: 'No forecast for this warehouse declares "N1"; the event waits for one',
    });
    expect(waitingWarning(named, { reason: 'no_forecast' })).toEqual({
      field: 'forecast_no',
      rule: 'no_forecast',
      message: 'No forecast "FC1" for this warehouse is known; the event waits for it',
    });
  });

  test('gets no warning that the one that it names is meant for another warehouse', () => {
    expect(waitingWarning(named, { reason: 'warehouse_mismatch' })).toEqual(waitingWarning(named, { reason: 'no_forecast' }));
  });

  test('does not wait when its forecast takes none', () => {
    expect(waitingWarning(named, { reason: 'takes_no_dispatch' })).toEqual({
      field: 'type',
      rule: 'takes_no_dispatch',
      message: 'A type 1 forecast takes no dispatch; the event has no effect',
    });
  });

  test.each([
    [0, ''],
    [2, ': FC1, FC2'],
    [5, ': FC1, FC2, FC3, FC4, FC5'],
    [6, ': FC1, FC2, FC3, FC4, FC5, …'],
  ])('is ambiguous between %i, five of which are named', (count, names) => {
    const candidates = Array.from({ length: count }, (_, index) => `FC${index + 1}`);
    expect(waitingWarning(scanned, { reason: 'ambiguous', candidates })).toEqual({
      field: 'express_no',
      rule: 'ambiguous',
      message: `Several forecasts declare "N1"${names}; the event waits until you claim it, or an event names this express_no and the forecast_no together`,
    });
  });
});

describe('a field that the type of an event does not have', () => {
  test('is named, with the one that was probably meant', () => {
    expect(unknownFields(report({ note: 'x' }))).toEqual([
      { field: 'note', rule: 'unknown_field', message: 'note is not a field of an arrival event and was ignored' },
    ]);
    expect(unknownFields(weighing({ weight_lb: 1 }))).toEqual([
      {
        field: 'weight_lb',
        rule: 'unknown_field',
        message: 'weight_lb is not a field of a weighing event and was ignored; did you mean weight_kg?',
      },
    ]);
  });

  test('is none that it has', () => expect(unknownFields(weighing())).toEqual([]));

  test('is shown without control characters, and cut', () => {
    const [first, second] = unknownFields({ type: 'arrival', 'a\u0000b': 1, ['x'.repeat(10_000)]: 1 });
    expect(first?.field).toBe('a\ufffdb');
    expect(second?.field).toMatch(/^x+$/);
    expect(second?.field?.length).toBeLessThan(300);
  });

  test('is reported no more often than there is room', () => {
    const many = Object.fromEntries(Array.from({ length: MAX_INTAKE_WARNINGS + 5 }, (_, index) => [`operator${index}`, 1]));
    expect(unknownFields({ ...many, type: 'arrival' })).toHaveLength(MAX_INTAKE_WARNINGS);
    const received_items = Array.from({ length: 3 }, () => many);
    expect(unknownFields({ type: 'arrival', received_items })).toHaveLength(MAX_INTAKE_WARNINGS);
    expect(unknownFields({ type: 'arrival', received_items }, 0)).toEqual([]);
  });

  test('is named within a count by its path', () => {
    const received_items = [{ sku_code: 'A', quantity: 1 }, { sku_code: 'B', quantiy: 2, unit: 'x' }, null, 5, ['x']];
    expect(unknownFields(report({ received_items }))).toEqual([
      {
        field: 'received_items[1].quantiy',
        rule: 'unknown_field',
        message: 'received_items[1].quantiy is not a field of an arrival event and was ignored; did you mean quantity?',
      },
      {
        field: 'received_items[1].unit',
        rule: 'unknown_field',
        message: 'received_items[1].unit is not a field of an arrival event and was ignored',
      },
    ]);
  });

  test.each([null, undefined, 5, 'arrival', [], {}, { type: 'arival', note: 1 }])('is none of %j, which has no known type', (raw) =>
    expect(unknownFields(raw)).toEqual([]),
  );
});

const fieldsOf = (lengthCm: number, widthCm: number, heightCm: number, weightKg: number, limits = defaultMeasureLimits) =>
  odditiesOf({ type: 'weighing', lengthCm, widthCm, heightCm, weightKg, photos: [] }, limits).map(({ field }) => field);

test.each([
  ['an ordinary parcel', [32.5, 24, 11.2, 2.415], []],
  ['a heavy one at the limit', [100, 100, 100, 150], []],
  ['grams for kilograms', [32.5, 24, 11.2, 2415], ['weight_kg', 'weight_kg']],
  ['millimetres for centimetres', [3250, 240, 112, 2.415], ['length_cm', 'weight_kg']],
  ['three sides at the limit', [400, 400, 400, 140], []],
  ['three sides beyond it', [400.1, 401, 500, 150], ['length_cm', 'width_cm', 'height_cm', 'weight_kg']],
  ['lighter than air', [50, 50, 50, 0.01], ['weight_kg']],
  ['as heavy as lead', [10, 10, 10, 11.3], []],
  ['an envelope', [30, 21, 0.3, 0.05], []],
] as const)('%s', (_name, [length, width, height, weight], fields) => {
  expect(fieldsOf(length, width, height, weight)).toEqual(fields);
});

test('says what weight and size make, and what is usual', () => {
  const heavy = { type: 'weighing', lengthCm: 10, widthCm: 10, heightCm: 10, weightKg: 140, photos: [] } as const;
  const [{ message } = { message: '' }] = odditiesOf(heavy, { ...defaultMeasureLimits, minDensity: 5, maxDensity: 20_000 });
  expect(message).toBe('weight_kg and size make 140000 g per litre, outside 5 to 20000; check the numbers and their units');
});

test('follows the limits of the installation', () => {
  expect(fieldsOf(100, 100, 100, 200, { ...defaultMeasureLimits, weightKg: 1000 })).toEqual([]);
  expect(fieldsOf(100, 100, 100, 20, { ...defaultMeasureLimits, sideCm: 99 })).toEqual(['length_cm', 'width_cm', 'height_cm']);
  expect(fieldsOf(10, 10, 10, 1, { ...defaultMeasureLimits, maxDensity: 999 })).toEqual(['weight_kg']);
});

const fault = { field: 'type', rule: 'enum', message: 'type must be one of them' };

const rejected = (eventId: string | null, faults = 1) => ({
  index: 0,
  event_id: eventId,
  code: '42201',
  message: fault.message,
  errors: Array.from({ length: faults }, () => fault),
});

test('keeps id, owner, type and time where they can be read, and some of the faults', () => {
  const sent = report({ event_id: 'WH1/a@b:c+d' });
  expect(rememberedRejection('WH1', sent, rejected('WH1/a@b:c+d', 30))).toEqual({
    warehouseCode: 'WH1',
    eventId: 'WH1/a@b:c+d',
    type: 'arrival',
    occurredAt: sent['occurred_at'],
    code: '42201',
    errors: Array.from({ length: MAX_KEPT_ERRORS }, () => fault),
  });
  const odd = { ...sent, type: 7, occurred_at: 'yesterday' };
  expect(rememberedRejection('WH1', odd, rejected('WH1/a@b:c+d'))).toMatchObject({ type: null, occurredAt: null });
});

test('is of the warehouse that reports, and over a trusted channel of the one that is named', () => {
  const sent = report({ event_id: 'e1', warehouse_code: 'WH2' });
  expect(rememberedRejection('WH1', sent, rejected('e1'))?.warehouseCode).toBe('WH1');
  expect(rememberedRejection(null, sent, rejected('e1'))?.warehouseCode).toBe('WH2');
  for (const warehouse_code of [undefined, 7, '', ' WH2', 'x'.repeat(33)]) {
    expect(rememberedRejection(null, { ...sent, warehouse_code }, rejected('e1'))).toBeUndefined();
  }
});

test('keeps nothing under an id that is not the one that was sent', () => {
  expect(rememberedRejection('WH1', null, rejected(null))).toBeUndefined();
  expect(rememberedRejection('WH1', report({ event_id: '' }), rejected(''))).toBeUndefined();
  expect(rememberedRejection('WH1', report({ event_id: 'x'.repeat(200) }), rejected('x'.repeat(128)))).toBeUndefined();
});
