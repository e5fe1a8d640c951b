import { expect, test } from '@jest/globals';
import { intakeEvent } from '../../testing/samples.ts';
import { scannedNumberOf, storedEvent, storedText } from './event.ts';

test('a scanned number is compared in capitals, without blanks and hyphens', () => {
  expect(scannedNumberOf('sf 12-34')).toBe('SF1234');
  expect(scannedNumberOf(null)).toBeNull();
});

test('an event is stored as it was reported, and read with the number that is compared', () => {
  const event = intakeEvent({ eventId: 'e1', expressNo: 'sf 12-34' });
  expect(storedText(event)).toBe(
    '{"eventId":"e1","warehouseCode":"WH1","occurredAt":"2026-11-21T09:00:00+08:00","forecastNo":null,"expressNo":"sf 12-34","detail":{"type":"arrival"}}',
  );
  expect(storedEvent(storedText(event))).toEqual(event);
  expect(event.scannedNumber).toBe('SF1234');
});
