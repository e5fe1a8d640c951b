import { describe, expect, test } from '@jest/globals';
import { offsetOfPlace } from './zone-of-place.ts';

const HOUR = 3_600_000;
const local = (text: string) => Date.parse(`${text}Z`);
const SUMMER = local('2026-07-01T12:00:00');
const WINTER = local('2026-12-01T12:00:00');

describe('the offset of a place', () => {
  test.each([
    ['CN', undefined, 8],
    ['IN', undefined, 5.5],
    ['us', 'ny', -4],
    ['AU', 'QLD', 10],
  ])('%s %s in July is derived: %d h', (country, state, hours) => {
    expect(offsetOfPlace({ country, state }, SUMMER)).toEqual({ offsetMs: hours * HOUR, basis: 'derived' });
  });

  test('follows the clocks of the place', () => {
    expect(offsetOfPlace({ country: 'DE' }, WINTER).offsetMs).toBe(HOUR);
    // Clocks go forward at 2:00 and back at 3:00: the hour before each change still has the former offset.
    expect(offsetOfPlace({ country: 'DE' }, local('2026-03-29T01:59:59')).offsetMs).toBe(HOUR);
    expect(offsetOfPlace({ country: 'DE' }, local('2026-03-29T03:00:00')).offsetMs).toBe(2 * HOUR);
    expect(offsetOfPlace({ country: 'US', state: 'NY' }, local('2026-11-01T03:00:00')).offsetMs).toBe(-5 * HOUR);
  });

  test.each([
    ['US', 'AZ', -7],
    ['CA', 'NL', -2.5],
  ])('%s %s lies in two zones: that of the larger part is assumed', (country, state, hours) => {
    expect(offsetOfPlace({ country, state }, SUMMER)).toEqual({ offsetMs: hours * HOUR, basis: 'assumed' });
  });

  test.each([
    ['DE', undefined, '2026-10-25T02:30:00', 2],
    ['US', 'NY', '2026-11-01T01:30:00', -4],
  ])('in the hour that %s %s repeats, the first run counts', (country, state, text, hours) => {
    expect(offsetOfPlace({ country, state }, local(text)).offsetMs).toBe(hours * HOUR);
  });

  test('in an hour that is skipped, the former offset counts', () => {
    expect(offsetOfPlace({ country: 'DE' }, local('2026-03-29T02:30:00')).offsetMs).toBe(HOUR);
  });

  test.each([undefined, '', 'XX', 'Germany', '../x'])('a country that is none (%s) is assumed to be at UTC', (country) => {
    expect(offsetOfPlace({ country }, SUMMER)).toEqual({ offsetMs: 0, basis: 'assumed' });
  });
});
