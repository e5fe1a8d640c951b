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

const OWNER = 'tnt_a';

const columns = (name: string, field: string | null) => [
  { title: 'Order', field: 'po_number' },
  { title: name, field },
];

describe('a mapping', () => {
  test('is found by the titles of its file, and the last one counts', () => {
    const storage = storageOf();
    rememberMapping(storage, OWNER, columns('Pcs', null));
    rememberMapping(storage, OWNER, columns('Pcs', 'forecast_quantity'));
    expect(rememberedMapping(storage, OWNER, columns('Pcs', null))).toEqual({ Order: 'po_number', Pcs: 'forecast_quantity' });
    expect(rememberedMapping(storage, OWNER, columns('Pieces', null))).toBeUndefined();
    forgetMapping(storage, OWNER, columns('Pcs', null));
    expect(rememberedMapping(storage, OWNER, columns('Pcs', null))).toBeUndefined();
  });

  test('is that of its tenant alone', () => {
    const storage = storageOf();
    rememberMapping(storage, 'tnt_a', columns('Pcs', 'forecast_quantity'));
    expect(rememberedMapping(storage, 'tnt_b', columns('Pcs', null))).toBeUndefined();
    rememberMapping(storage, 'tnt_b', columns('Pcs', 'sku_code'));
    expect(rememberedMapping(storage, 'tnt_a', columns('Pcs', null))).toMatchObject({ Pcs: 'forecast_quantity' });
    forgetMapping(storage, 'tnt_b', columns('Pcs', null));
    expect(rememberedMapping(storage, 'tnt_b', columns('Pcs', null))).toBeUndefined();
    expect(rememberedMapping(storage, 'tnt_a', columns('Pcs', null))).toMatchObject({ Pcs: 'forecast_quantity' });
  });

  test('that was kept without a tenant is of nobody, and goes with the next one', () => {
    const storage = storageOf('[["[\\"Order\\",\\"Pcs\\"]",{"Pcs":"forecast_quantity"}]]');
    expect(rememberedMapping(storage, OWNER, columns('Pcs', null))).toBeUndefined();
    rememberMapping(storage, OWNER, columns('Pieces', null));
    expect(storage.content).not.toContain('Pcs');
  });

  test('is that of the file of failed rows, too, which has one column more', () => {
    const storage = storageOf();
    rememberMapping(storage, OWNER, columns('Pcs', 'forecast_quantity'));
    const failed = [...columns('Pcs', null), { title: 'error', field: null }];
    expect(rememberedMapping(storage, OWNER, failed)).toMatchObject({ Pcs: 'forecast_quantity' });
  });

  test('of a file of failed rows has no column that other files do not have', () => {
    const storage = storageOf();
    rememberMapping(storage, OWNER, [...columns('Pcs', 'forecast_quantity'), { title: 'error', field: null }]);
    expect(rememberedMapping(storage, OWNER, columns('Pcs', null))).toEqual({ Order: 'po_number', Pcs: 'forecast_quantity' });
  });

  test('is one of the newest twenty of its tenant', () => {
    const storage = storageOf();
    for (let index = 0; index < 21; index += 1) rememberMapping(storage, OWNER, columns(`Title ${index}`, null));
    expect(rememberedMapping(storage, OWNER, columns('Title 0', null))).toBeUndefined();
    expect(rememberedMapping(storage, OWNER, columns('Title 1', null))).toBeDefined();
    expect(JSON.parse(storage.content)).toHaveLength(20);
    rememberMapping(storage, 'tnt_b', columns('Title 0', null));
    expect(rememberedMapping(storage, OWNER, columns('Title 1', null))).toBeDefined();
  });

  test('is one of the newest hundred of all tenants', () => {
    const storage = storageOf();
    for (let index = 0; index < 101; index += 1) rememberMapping(storage, `tnt_${index}`, columns('Pcs', null));
    expect(rememberedMapping(storage, 'tnt_0', columns('Pcs', null))).toBeUndefined();
    expect(rememberedMapping(storage, 'tnt_1', columns('Pcs', null))).toBeDefined();
  });

  test('is not kept when it is very long', () => {
    const storage = storageOf();
    rememberMapping(storage, OWNER, columns('x'.repeat(20_000), null));
    expect(storage.content).toBe('');
  });

  test.each(['{', '{"a":1}', '[1,["x"],["tnt_a",1,{}],["tnt_a","[]",null]]'])('of a storage that holds %s is not known', (content) => {
    expect(rememberedMapping(storageOf(content), OWNER, columns('Pcs', null))).toBeUndefined();
  });
});
