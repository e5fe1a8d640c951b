/** Values of `LABEL_PAGE`: millimetres of a label, or A4 sheets with eight labels. */
export const labelPages = ['100x150', '60x40', 'a4'] as const;
export type LabelPage = (typeof labelPages)[number];

/** How a label is laid out. Lengths are millimetres, sizes of text points. */
export interface LabelFormat {
  readonly sheet: { readonly width: number; readonly height: number };
  /** Labels side by side and one below the other on a sheet. */
  readonly columns: number;
  readonly rows: number;
  readonly margin: number;
  /** Height of a bar code. */
  readonly bars: number;
  /** Side of the QR code. */
  readonly matrix: number;
  readonly title: number;
  readonly name: number;
  readonly small: number;
  /** Most lines of a product name, in each language. */
  readonly nameLines: number;
  readonly titleLines: number;
  /** False when the carton's SSCC needs a label of its own. */
  readonly hasRoomForSscc: boolean;
}

/** The format of each page. An A4 sheet has 2 × 4 labels of 105 × 74.25 mm, a usual size of adhesive sheets. */
export const labelFormats: Readonly<Record<LabelPage, LabelFormat>> = {
  '100x150': {
    sheet: { width: 100, height: 150 },
    columns: 1,
    rows: 1,
    margin: 5,
    bars: 25,
    matrix: 40,
    title: 16,
    name: 13,
    small: 11,
    nameLines: 4,
    titleLines: 2,
    hasRoomForSscc: true,
  },
  '60x40': {
    sheet: { width: 60, height: 40 },
    columns: 1,
    rows: 1,
    margin: 2,
    bars: 11,
    matrix: 21,
    title: 9,
    name: 7,
    small: 6,
    nameLines: 1,
    titleLines: 1,
    hasRoomForSscc: false,
  },
  a4: {
    sheet: { width: 210, height: 297 },
    columns: 2,
    rows: 4,
    margin: 5,
    bars: 14,
    matrix: 24,
    title: 11,
    name: 9,
    small: 8,
    nameLines: 2,
    titleLines: 1,
    hasRoomForSscc: false,
  },
};

/** Most pages of a label whose item pages are repeated by quantity. */
export const MAX_COPY_PAGES = 10_000;

/** Width and height of one label, in millimetres. */
export function labelSize({ sheet, columns, rows }: LabelFormat): { readonly width: number; readonly height: number } {
  return { width: sheet.width / columns, height: sheet.height / rows };
}

/** Sheets that the labels of a forecast take when each item's is repeated by its quantity; the carton's come last. */
export function copySheets({ columns, rows }: LabelFormat, quantities: readonly number[], cartonLabels: number): number {
  const labels = quantities.reduce((sum, quantity) => sum + quantity, 0) + cartonLabels;
  return Math.ceil(labels / (columns * rows));
}
