import { describe, expect, test } from '@jest/globals';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { isFor } from './recipients.ts';

describe('an endpoint gets', () => {
  const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', filter: { status: 3 } });
  const event = { type: 'parcel.weighed', about: null, test: false, fields: { status: 3 } } as const;

  test('what it subscribes to and what fits its filter', () => {
    expect(isFor(event, endpoint)).toBe(true);
    expect(isFor({ ...event, type: 'tracking.changed' }, endpoint)).toBe(false);
    expect(isFor({ ...event, fields: { status: 4 } }, endpoint)).toBe(false);
  });

  test('its own test events, whatever it subscribes to', () => {
    const probe = { ...event, type: 'endpoint.test', test: true, fields: {} } as const;
    expect(isFor({ ...probe, about: 'ep_1' }, endpoint)).toBe(true);
    expect(isFor({ ...probe, about: 'ep_2' }, endpoint)).toBe(false);
  });

  test('the notice that another endpoint was disabled, not its own', () => {
    const disabled = { ...event, type: 'endpoint.disabled', fields: {} } as const;
    expect(isFor({ ...disabled, about: 'ep_2' }, endpoint)).toBe(true);
    expect(isFor({ ...disabled, about: 'ep_1' }, endpoint)).toBe(false);
  });
});
