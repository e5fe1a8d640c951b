/** Where the ideographs begin that every font with Chinese has (U+4E00), and how many of them the samples use. */
const IDEOGRAPHS = { first: 0x4e00, count: 3_000 } as const;

/** A name of eight ideographs; of many forecasts and items they are many. */
function chineseName(seed: number): string {
  return Array.from({ length: 8 }, (_, at) => String.fromCodePoint(IDEOGRAPHS.first + ((seed * 8 + at * 37) % IDEOGRAPHS.count))).join('');
}

/** What the documents of a forecast show, for benchmarks that render it. */
export function labelContent(index: number, itemCount: number) {
  const items = Array.from({ length: itemCount }, (_, at) => ({
    sku_code: `TSHIRT-${at}`,
    barcode: at % 2 === 0 ? '4006381333931' : undefined,
    product_name_en: `Cotton T-shirt number ${at}, short sleeves`,
    product_name_cn: chineseName(index + at),
    forecast_quantity: 5,
    declared_weight_kg: 0.25,
  }));
  return {
    forecastNo: `FC261121K7Q0Z4${index}`,
    poNumber: `PO-${index}`,
    warehouseCode: 'SZ-01',
    version: 1,
    dueDate: '2026-12-01',
    cartonCount: 3,
    at: 0,
    items,
    page: '100x150',
    sscc: undefined,
  } as const;
}
