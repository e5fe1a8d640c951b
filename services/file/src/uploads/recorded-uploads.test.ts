import { expect, test } from '@jest/globals';
import type { NewFile } from '../domain/stored-file.ts';
import { refusingErased } from './recorded-uploads.ts';

const isErased = (tenantId: string) => tenantId === 'tnt_gone';
const file = { storageKey: 'pdf/1' } as NewFile;

test('an upload of an erased tenant is refused, any other is recorded', async () => {
  const recorded: string[] = [];
  const records = refusingErased(
    {
      findByContent: async () => ({ ...file, id: 7 }),
      async recordFile(tenantId) {
        recorded.push(tenantId);
        return { file: { ...file, id: 1 }, isNew: true };
      },
    },
    isErased,
  );
  await expect(records.recordFile('tnt_gone', file)).rejects.toMatchObject({ code: '40302' });
  expect((await records.recordFile('tnt_1', file)).isNew).toBe(true);
  expect(await records.findByContent('tnt_1', { md5: 'm', sha256: 's' })).toEqual({ ...file, id: 7 });
  expect(recorded).toEqual(['tnt_1']);
});
