import { expect, test } from '@jest/globals';
import { intakeEvent } from '../../testing/samples.ts';
import { scannedNumberOf } from './event.ts';

test('a scanned number is compared in capitals, without blanks and hyphens', () => {
  expect(scannedNumberOf(intakeEvent({ expressNo: 'sf 12-34' }))).toBe('SF1234');
  expect(scannedNumberOf(intakeEvent({ expressNo: null }))).toBeNull();
});
