const KB = 1024;

/** A size for people: `512.00 B`, `1.50 KB`, `10.00 MB`. Two decimals; 1 KB is 1,024 bytes. */
export function sizeInfo(bytes: number): string {
  if (bytes < KB) return `${bytes.toFixed(2)} B`;
  const kilobytes = (bytes / KB).toFixed(2);
  return Number(kilobytes) < KB ? `${kilobytes} KB` : `${(bytes / KB / KB).toFixed(2)} MB`;
}
