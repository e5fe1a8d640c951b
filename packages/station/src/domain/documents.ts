import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';

/** Documents that can be printed. */
export type DocumentKind = 'label' | 'packing-list' | 'product-label' | 'product-labels' | 'packing-slip';

/** A document that was printed at this bench since the page was loaded. */
export interface Printed {
  readonly forecastNo: string;
  readonly kind: DocumentKind;
  /** Of the forecast. */
  readonly version: number;
}

const URL_FIELDS = {
  label: 'shipping_label',
  'packing-list': 'shipping_note',
  'product-label': 'marketplace_label',
  'product-labels': 'marketplace_label',
  'packing-slip': 'packing_slip',
} as const satisfies Readonly<Record<DocumentKind, keyof WarehouseForecastDetail>>;

/** Address of a document; undefined when there is none. */
export function documentUrl(detail: WarehouseForecastDetail | undefined, kind: DocumentKind): string | undefined {
  const url = detail?.[URL_FIELDS[kind]] ?? undefined;
  return url !== undefined && kind === 'product-labels' ? `${url}?copies=quantity` : url;
}
