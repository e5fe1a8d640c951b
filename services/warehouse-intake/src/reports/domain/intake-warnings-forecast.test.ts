import { describe, expect, test } from '@jest/globals';
import { intakeEvent } from '../../testing/samples.ts';
import { waitingWarning } from './intake-warnings.ts';

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

  test('may come without names', () => {
    expect(waitingWarning(scanned, { reason: 'ambiguous' }).message).toMatch(/^Several forecasts declare "N1"; the event waits/);
  });
});
