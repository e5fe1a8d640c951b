import type { UploadedFile } from '@parcelway/contracts/file-api';
import type { OwnFile } from '@parcelway/contracts/own-files-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import type { Page } from '@parcelway/page/data/paging';
import { MAX_FILE_BYTES } from '../../api/files.ts';

export const MOST_UPLOADS = 200;
export const MOST_LISTED = 1000;
const MOST_TRIES = 10;
/** Longest wait before another try, in seconds. */
const LONGEST_WAIT = 60;

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: 'waiting' | 'uploading' | 'done' | 'failed';
  /** What the platform has made of it; undefined until it is done. */
  readonly receipt?: UploadedFile;
  /** Why it is not uploaded. */
  readonly failure?: ApiFailure;
}

export interface UploadSteps {
  /** @throws ApiFailure */
  readonly send: (file: File) => Promise<UploadedFile>;
  /** @param seconds to wait */
  readonly wait: (seconds: number) => Promise<void>;
  /** Ends the uploads: the view is gone. */
  readonly signal: AbortSignal;
}

/** Uploads a file, and tries again for a while when the platform has taken too many. @throws ApiFailure */
async function sent(file: File, { send, wait, signal }: UploadSteps): Promise<UploadedFile> {
  if (file.size > MAX_FILE_BYTES) throw new ApiFailure('42206');
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(file);
    } catch (error) {
      const isAsked = error instanceof ApiFailure && error.code === '42901' && tries < MOST_TRIES && !signal.aborted;
      if (!isAsked) throw error;
      await wait(Math.min(LONGEST_WAIT, error.retryAfterSeconds ?? 1));
    }
  }
}

/** How many more files a list of uploads takes of those that are chosen together. @param listed files of the list */
export const roomOf = (listed: number): number => Math.max(0, Math.min(MOST_UPLOADS, MOST_LISTED - listed));

/**
 * Uploads files one after the other. A file that is refused does not keep the next one back.
 * @param uploads files that are added to it meanwhile are uploaded, too
 * @param report what becomes of a file, as it does
 */
export async function uploadAll(uploads: readonly Upload[], steps: UploadSteps, report: (upload: Upload) => void): Promise<void> {
  for (const upload of uploads) {
    if (steps.signal.aborted) return;
    report({ ...upload, state: 'uploading' });
    try {
      report({ ...upload, state: 'done', receipt: await sent(upload.file, steps) });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      report({ ...upload, state: 'failed', failure: error });
    }
  }
}

export function failedFirst(uploads: readonly Upload[]): readonly Upload[] {
  const failed = uploads.filter(({ state }) => state === 'failed');
  return failed.length === 0 ? uploads : [...failed, ...uploads.filter(({ state }) => state !== 'failed')];
}

export const MOST_COPIED = 1000;
export type NamedFile = Pick<OwnFile, 'origin_name' | 'url'>;

export interface ReadFiles {
  /** In the order of the list, at most {@link MOST_COPIED}. */
  readonly files: readonly NamedFile[];
  readonly isCut: boolean;
}

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

export const tableOf = (files: readonly NamedFile[]): string =>
  files.map(({ origin_name, url }) => [origin_name, url].map((cell) => cell.replaceAll(/[\t\r\n]/g, ' ')).join('\t')).join('\n');
