import { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import type { TObject } from 'typebox';

/** How the value of a cell becomes that of a field. */
export type FieldKind = 'text' | 'number-text' | 'integer' | 'number' | 'day' | 'forecast-type';

export interface ImportField {
  /** As in the API. */
  readonly name: string;
  /** `forecast`: the rows of one forecast share it; `item`: each row has its own. */
  readonly level: 'forecast' | 'item';
  readonly kind: FieldKind;
  /** True when an import without it fails. */
  readonly isRequired: boolean;
  /** Further ones besides the name; see {@link normaliseTitle}. */
  readonly titles: readonly string[];
}

/** Further titles of fields, English and Chinese, in the order of the template. Fields that are not named here come last. */
const TITLES: Readonly<Record<string, string>> = {
  po_number: 'PO, PO no, purchase order, order, order number, order no, order id, 订单号, 采购单号, 采购订单号, 订单编号, PO号',
  forecast_type: 'type, 预报类型, 类型, 订单类型',
  warehouse_code: 'warehouse, destination warehouse, 仓库, 仓库代码, 仓库编码, 目的仓, 目的仓库',
  due_date: 'due, expected arrival, arrival date, expected date, ETA, 预计到仓日期, 预计到货日期, 预计到达日期, 到货日期',
  shipping_label: 'label, label URL, shipping label URL, 面单, 物流面单, 快递面单, 面单链接',
  shipping_note: 'packing list, packing list URL, shipping note URL, 装箱单, 箱单, 发货单, 装箱单链接',
  carton_count: 'cartons, number of cartons, boxes, 箱数, 总箱数',
  sku_code: 'SKU, SKU编码, SKU码, 货号, 商品编码, 产品编码, 商品SKU, item number',
  barcode: 'EAN, UPC, GTIN, product barcode, 条码, 条形码, 商品条码, 产品条码',
  product_name_en:
    'product name, name, description, english name, product, 英文品名, 英文名, 英文名称, 产品英文名, 商品英文名, 产品英文名称',
  product_name_cn: 'chinese name, product name chinese, 中文品名, 中文名, 中文名称, 品名, 产品名称, 商品名称, 产品中文名, 商品中文名',
  product_image: 'image, image URL, product image URL, 图片, 图片链接, 产品图片, 商品图片',
  forecast_quantity: 'quantity, qty, pieces, pcs, 数量, 件数, 预报数量, 商品数量, 产品数量',
  forecast_price: 'price, unit price, declared price, declared value, 单价, 申报单价, 申报价值, 价格',
  hs_code: 'HS, customs code, tariff number, 海关编码, 海关编号, HS编码, 税号',
  tracking_number:
    'tracking, tracking no, express number, logistics number, waybill, waybill number, 物流单号, 快递单号, 运单号, 跟踪号, 追踪号',
  declared_weight_kg: 'weight, weight kg, declared weight, 重量, 单件重量, 申报重量, 重量kg',
  declared_length_cm: 'length, length cm, declared length, 长, 长度, 长cm',
  declared_width_cm: 'width, width cm, declared width, 宽, 宽度, 宽cm',
  declared_height_cm: 'height, height cm, declared height, 高, 高度, 高cm',
};

/** Kinds of the fields that need another one than the type of the contract says. */
const KINDS: Readonly<Record<string, FieldKind>> = {
  po_number: 'number-text',
  forecast_type: 'forecast-type',
  warehouse_code: 'number-text',
  due_date: 'day',
  sku_code: 'number-text',
  barcode: 'number-text',
  hs_code: 'number-text',
  tracking_number: 'number-text',
};

/** The fields of a contract that a column can fill. */
function fieldsOf(level: ImportField['level'], { properties, required }: TObject): ImportField[] {
  const order = Object.keys(TITLES);
  const placeOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(properties as Readonly<Record<string, { readonly type: string }>>)
    .filter(([, { type }]) => type !== 'array')
    .sort(([a], [b]) => placeOf(a) - placeOf(b))
    .map(([name, { type }]) => ({
      name,
      level,
      kind: KINDS[name] ?? (type === 'integer' || type === 'number' ? type : 'text'),
      isRequired: required.includes(name),
      titles: TITLES[name]?.split(', ') ?? [],
    }));
}

/** Every field of a submission that a column can fill, in the order of the template. */
export const importFields: readonly ImportField[] = [...fieldsOf('forecast', ForecastSubmission), ...fieldsOf('item', ForecastItem)];

/** Column of a file with failed rows that says why they failed; ignored when it comes back. */
export const ERROR_TITLE = 'error';

/** A title as it is compared: without case, brackets, and what separates words. Full-width letters count as usual ones. */
export function normaliseTitle(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-./*:#()[\]\u200b\ufeff]/gu, '');
}

const byName = new Map(importFields.map((one) => [one.name, one]));
const byTitle = new Map(importFields.flatMap((one) => [one.name, ...one.titles].map((title) => [normaliseTitle(title), one] as const)));

export function fieldOfName(name: string): ImportField | undefined {
  return byName.get(name);
}

export function fieldOfTitle(title: string): ImportField | undefined {
  return byTitle.get(normaliseTitle(title));
}
