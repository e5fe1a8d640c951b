import writeExcelFile from 'write-excel-file/node';

/** Widths of columns, in characters. */
const WIDTH = 20;

/**
 * An XLSX file with one sheet.
 * @param rows texts are written as texts, also those of digits
 */
export async function writeXlsx(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): Promise<Buffer> {
  const head = titles.map((value) => ({ value, fontWeight: 'bold' as const }));
  const body = rows.map((row) =>
    row.map((value) => (typeof value === 'number' ? { value, type: Number } : { value, type: String, format: '@' })),
  );
  return await writeExcelFile([head, ...body], { columns: titles.map(() => ({ width: WIDTH })), stickyRowsCount: 1 }).toBuffer();
}
