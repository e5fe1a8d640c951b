import { describe, expect, test } from '@jest/globals';
import { intakeEvent } from '../../testing/samples.ts';
import { waitingNumberOf } from './resolution.ts';

const event = intakeEvent({ expressNo: 'sf 1234-5678' });

describe('waitingNumberOf', () => {
  test('is the scanned number as it is compared, or the forecast number that was named', () => {
    expect(waitingNumberOf(event)).toEqual({ warehouseCode: 'WH1', kind: 'scanned', number: 'SF12345678' });
    const named = intakeEvent({ forecastNo: 'FC9', expressNo: 'SF12345678' });
    expect(waitingNumberOf(named)).toEqual({ warehouseCode: 'WH1', kind: 'named', number: 'FC9' });
  });
});
