/** Widths of columns, in characters. */
const WIDTH = 20;

/**
 * An XLSX file with one sheet.
 * @param rows texts are written as texts, also those of digits
 */
export async function writeXlsx(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): Promise<Buffer> {
  // Loaded here alone, so that no start waits for its 78 modules.
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const head = titles.map((value) => ({ value, fontWeight: 'bold' as const }));
  const body = rows.map((row) =>
    row.map((value) => (typeof value === 'number' ? { value, type: Number } : { value, type: String, format: '@' })),
  );
  return await writeExcelFile([head, ...body], { columns: titles.map(() => ({ width: WIDTH })), stickyRowsCount: 1 }).toBuffer();
}
