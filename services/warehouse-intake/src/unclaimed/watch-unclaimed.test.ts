import { expect, test } from '@jest/globals';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { watchUnclaimed } from './watch-unclaimed.ts';

test('what waits is counted again each time, by reason, until the end', async () => {
  const telemetry = recordingTelemetry();
  let ambiguous = 2;
  const parcels = { countUnclaimed: async () => ({ no_forecast: 1, warehouse_mismatch: 0, ambiguous, takes_no_dispatch: 0 }) };
  const end = watchUnclaimed(telemetry, parcels, {
    declaredNumbers: async () => (ambiguous > 0 ? [{ tenantId: 'tnt_a', unseen: 7, seen: 0, limit: null }] : []),
  });
  await telemetry.readAll();
  ambiguous = 0;
  await telemetry.readAll();
  end();
  await telemetry.readAll();
  const counts = telemetry.recorded('parcelway_intake_unclaimed_events');
  expect(counts.filter(([labels]) => labels.reason === 'ambiguous')).toEqual([
    [{ reason: 'ambiguous' }, 2],
    [{ reason: 'ambiguous' }, 0],
  ]);
  expect(counts).toHaveLength(8);
  expect(telemetry.recorded('parcelway_intake_declared_numbers')).toEqual([
    [{ tenant_id: 'tnt_a' }, 7],
    [{ tenant_id: 'tnt_a' }, 0],
  ]);
});
