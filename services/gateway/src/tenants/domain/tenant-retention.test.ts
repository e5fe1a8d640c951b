import { describe, expect, test } from '@jest/globals';
import { retentionChanged, unchosen } from './tenant-retention.ts';

const at = { environment: 'sandbox', now: Date.UTC(2026, 10, 26) } as const;
const known = { tenantId: 'tnt_1', version: 3, forecastDays: 400, fileDays: 90 };

describe('the retention of a tenant', () => {
  test('rises in its version with each change, and the event says all of it', () => {
    const change = retentionChanged(unchosen('tnt_1'), { forecastDays: 400 }, at);
    expect(change?.retention).toEqual({ tenantId: 'tnt_1', version: 1, forecastDays: 400, fileDays: null });
    expect(change?.message).toMatchObject({ topic: 'gateway.events.v1', key: 'tnt_1/tnt_1' });
    expect(JSON.parse(change?.message.value ?? '')).toMatchObject({
      type: 'tenant.retention-changed',
      data: { tenant_id: 'tnt_1', version: 1, forecast_days: 400, file_days: null, changed_at: '2026-11-26T00:00:00.000+00:00' },
    });
  });

  test('keeps what a change does not name, and null is a choice', () => {
    expect(retentionChanged(known, { fileDays: 30 }, at)?.retention).toEqual({ ...known, version: 4, fileDays: 30 });
    expect(retentionChanged(known, { forecastDays: null }, at)?.retention).toEqual({ ...known, version: 4, forecastDays: null });
  });

  test('is not changed by what it is already', () => {
    expect(retentionChanged(known, {}, at)).toBeUndefined();
    expect(retentionChanged(known, { forecastDays: 400, fileDays: 90 }, at)).toBeUndefined();
  });

  test('does not keep files for longer than their forecast', () => {
    expect(() => retentionChanged(known, { fileDays: 401 }, at)).toThrow(
      expect.objectContaining({ code: '42201', data: { errors: [expect.objectContaining({ field: 'file_days' })] } }),
    );
    expect(() => retentionChanged(known, { forecastDays: 89 }, at)).toThrow(expect.objectContaining({ code: '42201' }));
    expect(retentionChanged(known, { fileDays: 400 }, at)?.retention.fileDays).toBe(400);
  });
});
