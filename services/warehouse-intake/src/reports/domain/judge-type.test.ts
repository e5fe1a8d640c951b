import { describe, expect, test } from '@jest/globals';
import { refusalOf } from '../../testing/judging.ts';
import { report } from '../../testing/samples.ts';

const TYPES = 'type must be one of arrival, weighing, photo, processing, put_away, dispatch, exception, hold, release';

describe('judge', () => {
  test.each([
    ['null', null],
    ['a string', 'arrival'],
    ['a number', 1],
    ['an array', [report()]],
  ])('refuses %s', (_name, raw) => {
    expect(refusalOf(raw)).toMatchObject({ code: '42201', message: 'An event must be an object' });
  });

  test.each([undefined, null, 'ARRIVAL', 'constructor', '__proto__', 7, ['arrival']])(
    'refuses the type %p and lists the allowed ones',
    (type) => {
      expect(refusalOf(report({ type }))).toMatchObject({
        code: '42201',
        errors: [{ field: 'type', rule: 'enum', message: expect.stringContaining(TYPES) }],
      });
    },
  );

  test.each([
    ['wieghing', `${TYPES}; did you mean weighing?`],
    ['ARRIVAL', `${TYPES}; did you mean arrival?`],
    ['lost', TYPES],
  ])('says of the type %p: %s', (type, message) => expect(refusalOf(report({ type })).message).toBe(message));

  test('checks what every event has also when the type is not known', () => {
    const raw = report({ type: 'lost', event_id: '..', occurred_at: 'today', warehouse_code: '', express_no: undefined, weight_kg: 'x' });
    expect(
      refusalOf(raw)
        .errors.map(({ field }) => field)
        .sort(),
    ).toEqual(['event_id', 'forecast_no', 'occurred_at', 'type', 'warehouse_code']);
    expect(refusalOf(report({ type: 'lost', warehouse_code: 'WH2' })).errors.map(({ field }) => field)).toEqual(['type', 'warehouse_code']);
  });

  test.each(['arrival', 'lost'])('says once that an event of type %p names neither number', (type) => {
    const { errors } = refusalOf(report({ type, express_no: undefined }));
    expect(errors.filter(({ field }) => field !== 'type')).toEqual([
      { field: 'forecast_no', rule: 'required', message: 'forecast_no or express_no is required' },
    ]);
  });
});
