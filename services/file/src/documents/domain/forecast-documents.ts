import type { DomainEventData } from '@parcelway/contracts/domain-events';
import type { LabelPage } from './label-format.ts';

/** An item as its label and the packing slip show it. */
export type DocumentItem = NonNullable<DomainEventData<'forecast.accepted'>['items']>[number];

/** What the documents of a forecast show: everything that decides their bytes. */
export interface DocumentContent {
  readonly forecastNo: string;
  readonly poNumber: string;
  readonly warehouseCode: string;
  readonly version: number;
  readonly dueDate: string | null;
  readonly cartonCount: number | null;
  readonly items: readonly DocumentItem[];
  /** Acceptance or correction, epoch milliseconds: the date of the documents. */
  readonly at: number;
  readonly page: LabelPage;
  /** 18 digits; undefined without a company prefix. */
  readonly sscc: string | undefined;
}

/** Where the documents are in their content, in bytes from its beginning. Ends are exclusive. */
export interface DocumentSections {
  readonly labelEnd: number;
  /** The label with its item pages repeated by quantity ends here. Null when it would have too many pages. */
  readonly copiesEnd: number | null;
  /** The packing slip begins here and goes to the end. */
  readonly slipStart: number;
  readonly size: number;
}

export interface RenderedDocuments {
  readonly bytes: Uint8Array;
  readonly sections: DocumentSections;
  /** Items whose label has no symbol: their SKU has characters that Code 128 lacks. */
  readonly itemsWithoutSymbol: number;
  /** Characters that no font has. */
  readonly replacedCharacters: number;
}

/**
 * The latest versions of a forecast whose documents are kept. A merchant may correct a forecast, and open its label, any number of times.
 */
export const KEPT_VERSIONS = 10;

export interface StoredDocuments extends DocumentSections {
  readonly forecastNo: string;
  readonly version: number;
  readonly storageKey: string;
  /** Epoch milliseconds. */
  readonly generatedAt: number;
}

/** One document as a URL opens it. */
export interface DocumentPart {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly name: string;
}

/**
 * The part of the content that a URL opens.
 * @param copies whether the label's item pages are to be repeated by quantity
 * @returns undefined when there is no such part: too many pages
 */
export function documentPart(documents: StoredDocuments, kind: 'label' | 'slip', copies: boolean): DocumentPart | undefined {
  const { forecastNo, version, slipStart, size, labelEnd, copiesEnd } = documents;
  if (kind === 'slip') return { start: slipStart, end: size, name: `packing-slip-${forecastNo}-v${version}.pdf` };
  if (!copies) return { start: 0, end: labelEnd, name: `product-label-${forecastNo}-v${version}.pdf` };
  if (copiesEnd === null) return undefined;
  return { start: 0, end: copiesEnd, name: `product-label-${forecastNo}-v${version}-copies.pdf` };
}
