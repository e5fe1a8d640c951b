import type { OwnFile } from '@parcelway/contracts/own-files-api';
import type { Page } from '../../api/webhooks.ts';

/** Files of which names and URLs are copied together. */
export const MOST_COPIED = 1000;

/** What a row of the table is made of. */
export type NamedFile = Pick<OwnFile, 'origin_name' | 'url'>;

/** Files of a list. */
export interface ReadFiles {
  /** In the order of the list, at most {@link MOST_COPIED}. */
  readonly files: readonly NamedFile[];
  /** True when the list has more. */
  readonly isCut: boolean;
}

/**
 * Reads a list page by page, up to {@link MOST_COPIED} files.
 * @param readPage asks for the page at a cursor; undefined for the first @param report takes after each page how many files are read
 * @throws what `readPage` throws
 */
export async function readFiles(
  readPage: (cursor: string | undefined) => Promise<Page<NamedFile>>,
  report: (count: number) => void,
): Promise<ReadFiles> {
  const files: NamedFile[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    files.push(...page.items);
    cursor = page.next ?? undefined;
    report(Math.min(files.length, MOST_COPIED));
  } while (cursor !== undefined && files.length < MOST_COPIED);
  return { files: files.slice(0, MOST_COPIED), isCut: cursor !== undefined || files.length > MOST_COPIED };
}

/** Names and URLs of files, as a table that a spreadsheet program takes from the clipboard. */
export function tableOf(files: readonly NamedFile[]): string {
  return files.map(({ origin_name, url }) => [origin_name, url].map((cell) => cell.replaceAll(/[\t\r\n]/g, ' ')).join('\t')).join('\n');
}
