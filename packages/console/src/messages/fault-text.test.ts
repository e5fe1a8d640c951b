import { describe, expect, test } from '@jest/globals';
import { en } from './en.ts';
import { columnLabel, faultText, fieldLabel, placeOf } from './fault-text.ts';

const text = (field: string, message: string, label?: string): string => faultText({ field, message }, en, label);

describe('a fault', () => {
  test('is said without its field beside the label, and with the label elsewhere', () => {
    expect(text('po_number', 'is required')).toBe('Required');
    expect(text('items[0].forecast_quantity', 'must be at least 1')).toBe('Must be at least 1');
    expect(text('po_number', 'po_number is required', 'PO number')).toBe('PO number is required');
  });

  test('that is a sentence by itself is not given a subject', () => {
    const message = '"MOON1" is not a warehouse in use; GET /open/v1/warehouses lists them';
    expect(text('warehouse_code', message, 'Warehouse')).toBe('No warehouse in use has the code "MOON1"');
    expect(text('Order', 'Row 4 of the same forecast has an error', 'Order')).toBe('Row 4 of the same parcel has an error');
  });

  test('names no field, route or setting of the API where the page has words', () => {
    expect(text('shipping_label', 'is required for forecast_type 2, the default')).toBe('Required for direct mail');
    const url = 'must resolve to a public address; 10.0.0.1 is private, local or reserved';
    for (const hint of [
      'An operator can allow further networks with WEBHOOK_ALLOWED_NETWORKS',
      'To receive on your own machine, start the platform with WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8',
    ]) {
      expect(text('url', `${url}. ${hint}`)).toBe(`M${url.slice(1)}`);
    }
  });

  test('names other fields as the form does', () => {
    const message = 'The columns "Name" and "Item" both fill product_name_en; rename one of them, or ignore it with mapping';
    expect(text('Item', message)).toBe('The columns "Name" and "Item" both fill Product name (English). Rename one of them, or ignore it');
  });

  test('that is not known is said as the platform does', () => {
    expect(text('x', 'must be something new', 'x')).toBe('x must be something new');
  });
});

test('a field is named as in the form, with its item; one that forms do not have by its path', () => {
  expect(fieldLabel('items[1].sku_code', en)).toBe('Item 2 · SKU code');
  expect(fieldLabel('items[1]', en)).toBe('Item 2');
  expect(fieldLabel('shipping_label', en)).toBe('Shipping label');
  expect(fieldLabel('constructor', en)).toBe('constructor');
});

test('inside of a control, the entry or the name is said', () => {
  expect(placeOf('allowed_addresses[1]', en.faults)).toBe('Entry 2');
  expect(placeOf('headers.X-Shop', en.faults)).toBe('X-Shop');
  expect(placeOf('items[0].sku_code', en.faults)).toBeUndefined();
  expect(placeOf('url', en.faults)).toBeUndefined();
});

test('a column keeps its title, also when that is the name of a field; a missing one has the label of its field', () => {
  const columns = [{ title: 'po_number' }, { title: 'Menge' }];
  expect(columnLabel('po_number', columns, en)).toBe('po_number');
  expect(columnLabel('Menge', columns, en)).toBe('Menge');
  expect(columnLabel('shipping_label', columns, en)).toBe('Shipping label');
});
