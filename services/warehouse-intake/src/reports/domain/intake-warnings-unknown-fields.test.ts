import { describe, expect, test } from '@jest/globals';
import { MAX_INTAKE_WARNINGS } from '@parcelway/contracts/warehouse-api';
import { report, weighing } from '../../testing/samples.ts';
import { unknownFields } from './intake-warnings.ts';

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
