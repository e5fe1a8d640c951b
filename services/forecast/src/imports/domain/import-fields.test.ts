import { expect, test } from '@jest/globals';
import { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { fieldOfName, fieldOfTitle, importFields, normaliseTitle } from './import-fields.ts';

test('every field of a submission can be filled by a column', () => {
  const { items: _items, ...own } = ForecastSubmission.properties;
  const names = (level: string): string[] => importFields.filter((one) => one.level === level).map(({ name }) => name);
  expect(names('forecast').sort()).toEqual(Object.keys(own).sort());
  expect(names('item').sort()).toEqual(Object.keys(ForecastItem.properties).sort());
});

test('what the contract requires is required, besides the items themselves', () => {
  const required = [...ForecastSubmission.required, ...ForecastItem.required].filter((name) => name !== 'items');
  expect(
    importFields
      .filter((one) => one.isRequired)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...required].sort());
});

test('no title means two fields', () => {
  const titles = importFields.flatMap((one) => [one.name, ...one.titles].map(normaliseTitle));
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test.each([
  ['po_number', 'po_number'],
  ['PO number', 'po_number'],
  [' PO Number* ', 'po_number'],
  ['PO-NUMBER', 'po_number'],
  ['ＰＯ number', 'po_number'],
  ['订单号', 'po_number'],
  ['SKU', 'sku_code'],
  ['Weight (kg)', 'declared_weight_kg'],
  ['数量', 'forecast_quantity'],
  ['装箱单', 'shipping_note'],
])('the title %s is that of %s', (title, name) => {
  expect(fieldOfTitle(title)?.name).toBe(name);
  expect(fieldOfName(name)?.name).toBe(name);
});

test('other titles are those of no field', () => {
  expect(fieldOfTitle('Remark')).toBeUndefined();
  expect(fieldOfTitle('')).toBeUndefined();
  expect(fieldOfTitle('error')).toBeUndefined();
});
