import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ImportStops } from './ports.ts';

export interface ImportStopsDriver {
  readonly stops: ImportStops;
  close(): Promise<void>;
}

/** What every driver of the stops must do. @param open a driver with an empty store */
export function describeImportStops(name: string, open: () => Promise<ImportStopsDriver>): void {
  describe(`stops of imports: ${name}`, () => {
    let driver: ImportStopsDriver;
    let stops: ImportStops;
    beforeEach(async () => {
      driver = await open();
      stops = driver.stops;
    });
    afterEach(() => driver.close());

    const revoked = (tenantId: string, keyId: string, at = 5) => ({ tenantId, keyId, at });
    const suspended = (tenantId: string, at = 5) => ({ tenantId, keyId: null, at });
    const keysOf = async (tenantId: string, keyId: string) => (await stops.of(tenantId, keyId)).map((stop) => stop.keyId);

    test('are those of the key, and of its tenant as a whole', async () => {
      await stops.note(revoked('tnt_a', 'key_1'), 10);
      expect(await stops.of('tnt_a', 'key_1')).toEqual([revoked('tnt_a', 'key_1')]);
      expect([await keysOf('tnt_a', 'key_2'), await keysOf('tnt_b', 'key_1')]).toEqual([[], []]);
      await stops.note(suspended('tnt_a', 6), 10);
      const both = await stops.of('tnt_a', 'key_1');
      expect(both).toHaveLength(2);
      expect(both).toEqual(expect.arrayContaining([revoked('tnt_a', 'key_1'), suspended('tnt_a', 6)]));
      expect([await keysOf('tnt_a', 'key_2'), await keysOf('tnt_b', 'key_2')]).toEqual([[null], []]);
    });

    test('have the latest instant, whatever the order in which they are noted', async () => {
      for (const at of [7, 9, 8]) await stops.note(suspended('tnt_a', at), at);
      expect(await stops.of('tnt_a', 'key_1')).toEqual([suspended('tnt_a', 9)]);
      expect(await stops.forget(9, 10)).toBe(0);
    });

    test('are forgotten some at a time, the oldest first, and stay when they are noted again', async () => {
      for (const [index, keyId] of ['key_1', 'key_2', 'key_3', 'key_4'].entries()) await stops.note(revoked('tnt_a', keyId), index);
      await stops.note(revoked('tnt_a', 'key_3'), 100);
      expect(await stops.forget(50, 2)).toBe(2);
      expect([await keysOf('tnt_a', 'key_2'), await keysOf('tnt_a', 'key_4')]).toEqual([[], ['key_4']]);
      expect([await stops.forget(50, 2), await stops.forget(50, 2)]).toEqual([1, 0]);
      expect(await keysOf('tnt_a', 'key_3')).toEqual(['key_3']);
    });
  });
}
