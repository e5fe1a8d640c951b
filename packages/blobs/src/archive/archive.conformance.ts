import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Archive, archivedObjects, deleteArchived } from './archive.ts';
import { archiveBatch, readArchived } from './archive-records.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 26, 12);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** What every archive must do. @param open an empty one */
export function describeArchive(name: string, open: () => Promise<Archive>): void {
  describe(`archive: ${name}`, () => {
    let archive: Archive;
    beforeEach(async () => {
      archive = await open();
    });
    afterEach(() => archive.close());

    test('gives back what was put, and replaces it', async () => {
      await archive.put('a/b/one.txt', Buffer.from('first, and longer'));
      await archive.put('a/b/one.txt', Buffer.from('second'));
      expect((await archive.get('a/b/one.txt'))?.toString()).toBe('second');
      expect(await archive.get('a/b/two.txt')).toBeUndefined();
      expect(await archive.get('a/b/one.txt/three')).toBeUndefined();
      await archive.put('a/b/empty', Buffer.alloc(0));
      expect(await archive.get('a/b/empty')).toHaveLength(0);
    });

    test('lists one folder, by name', async () => {
      expect(await archive.list('')).toEqual([]);
      for (const path of ['b/x', 'a/z', 'a/y/deep', 'ab/x']) await archive.put(path, Buffer.from('1234'));
      expect(await archive.list('')).toEqual([{ name: 'a' }, { name: 'ab' }, { name: 'b' }]);
      expect(await archive.list('a')).toEqual([{ name: 'y' }, { name: 'z', bytes: 4 }]);
      expect(await archive.list('none')).toEqual([]);
    });

    test('forgets an object, and one that is not there', async () => {
      await archive.put('a/one', Buffer.from('1'));
      await archive.delete('a/one');
      await archive.delete('a/one');
      await archive.delete('none/one');
      expect(await archive.get('a/one')).toBeUndefined();
    });

    test.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', 'a/.hidden', 'a b'])('refuses the path %j', async (path) => {
      await expect(archive.put(path, Buffer.from('1'))).rejects.toThrow(RangeError);
    });

    test('keeps records of a batch in one object of the tenant, which a repeat replaces', async () => {
      const batch = {
        tenantId: 'tnt_1',
        kind: 'forecasts',
        records: [
          { id: 'F1', data: { note: '绿' } },
          { id: 'F2', data: null },
        ],
      } as const;
      const object = await archiveBatch(archive, batch, NOW);
      expect(await archiveBatch(archive, batch, NOW + 1000)).toEqual(object);
      const [found, another] = await all(archivedObjects(archive, {}));
      expect(found).toMatchObject({ ...object, tenantId: 'tnt_1', kind: 'forecasts', day: '2026-11-26' });
      expect(found?.path).toBe(`tnt_1/forecasts/2026/11/26/${object.name}.ndjson.gz`);
      expect(another).toBeUndefined();
      expect(await readArchived(archive, found?.path ?? '')).toEqual([
        { schema: 1, kind: 'forecasts', tenant_id: 'tnt_1', id: 'F1', archived_at: '2026-11-26T12:00:01.000Z', data: { note: '绿' } },
        { schema: 1, kind: 'forecasts', tenant_id: 'tnt_1', id: 'F2', archived_at: '2026-11-26T12:00:01.000Z', data: null },
      ]);
    });

    test('reads no folder of another tenant when one is wanted', async () => {
      for (const tenantId of ['tnt_1', 'tnt_2', 'tnt_3'])
        await archiveBatch(archive, { tenantId, kind: 'forecasts', records: [{ id: 'F1', data: 1 }] }, NOW);
      const read: string[] = [];
      const list = (folder: string) => {
        read.push(folder);
        return archive.list(folder);
      };
      const observed = { put: archive.put, get: archive.get, list, delete: (path: string) => archive.delete(path), close: archive.close };
      expect(await deleteArchived(observed, { tenantId: 'tnt_2' }, 100)).toBe(1);
      expect(read.filter((folder) => !folder.startsWith('tnt_2'))).toEqual([]);
      expect(read).toContain('tnt_2');
    });

    test('finds objects by tenant, kind and day, and deletes them by the same', async () => {
      const put = (tenantId: string, kind: 'forecasts' | 'shipments', at: number) =>
        archiveBatch(archive, { tenantId, kind, records: [{ id: `${at}`, data: 1 }] }, at);
      for (const tenant of ['tnt_1', 'tnt_2']) for (const days of [0, 1, 40]) await put(tenant, 'forecasts', NOW - days * DAY_MS);
      await put('tnt_1', 'shipments', NOW);
      const daysOf = async (filter: Parameters<typeof archivedObjects>[1]) =>
        (await all(archivedObjects(archive, filter))).map(({ tenantId, kind, day }) => `${tenantId} ${kind} ${day}`);
      expect(await daysOf({ tenantId: 'tnt_1', kind: 'forecasts' })).toEqual([
        'tnt_1 forecasts 2026-10-17',
        'tnt_1 forecasts 2026-11-25',
        'tnt_1 forecasts 2026-11-26',
      ]);
      expect(await daysOf({ from: '2026-11-01', to: '2026-11-25' })).toEqual(['tnt_1 forecasts 2026-11-25', 'tnt_2 forecasts 2026-11-25']);
      expect(await daysOf({ from: '2027-01-01' })).toEqual([]);
      for (const tenantId of ['tnt_none', '', '../tnt_1', 'tnt_1/forecasts']) expect(await daysOf({ tenantId })).toEqual([]);
      expect(await deleteArchived(archive, { to: '2026-11-25' }, 3)).toBe(3);
      expect(await deleteArchived(archive, { to: '2026-11-25' }, 3)).toBe(1);
      expect(await deleteArchived(archive, { tenantId: 'tnt_1' }, 100)).toBe(2);
      expect(await daysOf({})).toEqual(['tnt_2 forecasts 2026-11-26']);
    });
  });
}
