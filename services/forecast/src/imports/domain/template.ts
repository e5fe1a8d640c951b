import { importFields } from './import-fields.ts';

const FORECAST: Readonly<Record<string, string | number>> = {
  po_number: 'PO-2026-0001',
  forecast_type: 2,
  shipping_label: 'https://api.example.com/files/your-label.pdf',
  shipping_note: 'https://api.example.com/files/your-packing-list.pdf',
  carton_count: 1,
};

const ITEMS: readonly Readonly<Record<string, string | number>>[] = [
  {
    sku_code: 'SKU-1001',
    barcode: '4006381333931',
    product_name_en: 'Desk lamp',
    product_name_cn: '台灯',
    product_image: 'https://images.example.com/desk-lamp.jpg',
    forecast_quantity: 20,
    forecast_price: 12.5,
    hs_code: '9405219000',
    tracking_number: 'SF123456789012',
    declared_weight_kg: 1.2,
    declared_length_cm: 40,
    declared_width_cm: 20,
    declared_height_cm: 15,
  },
  {
    sku_code: 'SKU-1002',
    barcode: '4006381333948',
    product_name_en: 'Wall lamp',
    product_name_cn: '壁灯',
    product_image: 'https://images.example.com/wall-lamp.jpg',
    forecast_quantity: 10,
    forecast_price: 18.9,
    hs_code: '9405119000',
    tracking_number: 'SF123456789012',
    declared_weight_kg: 0.8,
    declared_length_cm: 30,
    declared_width_cm: 20,
    declared_height_cm: 10,
  },
];

const ARRIVES_AFTER_MS = 14 * 86_400_000;

/** Titles of the template: the names of the fields. */
export const templateTitles: readonly string[] = importFields.map(({ name }) => name);

/**
 * The sample rows of the template: one forecast of two items.
 * @param warehouseCode one that is in use
 * @param now epoch milliseconds; the parcel is expected two weeks later
 */
export function templateRows(warehouseCode: string, now: number): readonly (readonly (string | number)[])[] {
  const head = { ...FORECAST, warehouse_code: warehouseCode, due_date: new Date(now + ARRIVES_AFTER_MS).toISOString().slice(0, 10) };
  return ITEMS.map((item) => {
    const values: Readonly<Record<string, string | number>> = { ...head, ...item };
    return importFields.map(({ name }) => values[name] ?? '');
  });
}
