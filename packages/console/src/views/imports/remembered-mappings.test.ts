import { describe, expect, test } from '@jest/globals';
import { forgetMapping, type MappingStorage, rememberedMapping, rememberMapping } from './remembered-mappings.ts';

function storageOf(content = ''): NonNullable<MappingStorage> & { content: string } {
  return {
    content,
    getItem() {
      return this.content === '' ? null : this.content;
    },
    setItem(_name, value) {
      this.content = value;
    },
  };
}

const columns = (name: string, field: string | null) => [
  { title: 'Order', field: 'po_number' },
  { title: name, field },
];

describe('a mapping', () => {
  test('is found by the titles of its file, and the last one counts', () => {
    const storage = storageOf();
    rememberMapping(storage, columns('Pcs', null));
    rememberMapping(storage, columns('Pcs', 'forecast_quantity'));
    expect(rememberedMapping(storage, columns('Pcs', null))).toEqual({ Order: 'po_number', Pcs: 'forecast_quantity' });
    expect(rememberedMapping(storage, columns('Pieces', null))).toBeUndefined();
    forgetMapping(storage, columns('Pcs', null));
    expect(rememberedMapping(storage, columns('Pcs', null))).toBeUndefined();
  });

  test('is that of the file of failed rows, too, which has one column more', () => {
    const storage = storageOf();
    rememberMapping(storage, columns('Pcs', 'forecast_quantity'));
    const failed = [...columns('Pcs', null), { title: 'error', field: null }];
    expect(rememberedMapping(storage, failed)).toMatchObject({ Pcs: 'forecast_quantity' });
  });

  test('is one of the newest twenty', () => {
    const storage = storageOf();
    for (let index = 0; index < 21; index += 1) rememberMapping(storage, columns(`Title ${index}`, null));
    expect(rememberedMapping(storage, columns('Title 0', null))).toBeUndefined();
    expect(rememberedMapping(storage, columns('Title 1', null))).toBeDefined();
    expect(JSON.parse(storage.content)).toHaveLength(20);
  });

  test('is not kept when it is very long', () => {
    const storage = storageOf();
    rememberMapping(storage, columns('x'.repeat(20_000), null));
    expect(storage.content).toBe('');
  });

  test.each(['{', '{"a":1}', '[1,["x"],[1,{}]]'])('of a storage that holds %s is not known', (content) => {
    expect(rememberedMapping(storageOf(content), columns('Pcs', null))).toBeUndefined();
  });
});
