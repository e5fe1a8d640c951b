import { describe, expect, test } from '@jest/globals';
import { type IntakeWarning, intakeWarningRules, MAX_INTAKE_WARNINGS } from '@parcelway/contracts/warehouse-api';
import { intakeEvent } from '../../testing/samples.ts';
import { defaultMeasureLimits } from './implausible-measures.ts';
import { cutWarnings, implausible, readableEventId, repeatedSku } from './intake-warnings.ts';

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

test('the content of a report deserves a look for its measures', () => {
  const heavy = intakeEvent({
    detail: { type: 'weighing', lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2415, photos: [] },
  });
  expect(new Set(implausible(heavy, defaultMeasureLimits).map(({ rule }) => rule))).toEqual(new Set(['implausible']));
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
