import { expect, test } from '@jest/globals';
import type { NewDocuments } from '../domain/forecast-documents.ts';
import type { NewFile } from '../domain/stored-file.ts';
import { needlessForErased, refusingErased } from './refuse-erased.ts';

const isErased = (tenantId: string) => tenantId === 'tnt_gone';
const file = { storageKey: 'pdf/1' } as NewFile;
const message = { topic: 't', key: 'k', value: '{}' };

test('an upload of an erased tenant is refused, any other is recorded', async () => {
  const recorded: string[] = [];
  const records = refusingErased(
    {
      findByContent: async () => undefined,
      async recordFile(tenantId) {
        recorded.push(tenantId);
        return { file: { ...file, id: 1 }, isNew: true };
      },
    },
    isErased,
  );
  await expect(records.recordFile('tnt_gone', file)).rejects.toMatchObject({ code: '40302' });
  expect((await records.recordFile('tnt_1', file)).isNew).toBe(true);
  expect(await records.findByContent('tnt_1', { md5: 'm', sha256: 's' })).toBeUndefined();
  expect(recorded).toEqual(['tnt_1']);
});

test('documents of an erased tenant are not needed', async () => {
  const documents = needlessForErased({ hasDocuments: async () => false, recordDocuments: async () => true }, isErased);
  const rendered = {} as NewDocuments;
  expect([await documents.hasDocuments('tnt_gone', 'FC1', 1), await documents.recordDocuments('tnt_gone', rendered, message)]).toEqual([
    true,
    false,
  ]);
  expect([await documents.hasDocuments('tnt_1', 'FC1', 1), await documents.recordDocuments('tnt_1', rendered, message)]).toEqual([
    false,
    true,
  ]);
});
