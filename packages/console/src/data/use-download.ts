import type { Download } from '@parcelway/page/api/client';
import { type Action, useAction } from './use-action.ts';

/** Milliseconds for which a saved file can still be read: the browser reads it after the click. */
const READABLE_MS = 60_000;

/** Has the browser save a file. */
function save({ content, name }: Download, fallbackName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name === '' ? fallbackName : name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READABLE_MS);
}

/** Something that a button downloads. */
export interface Downloading extends Omit<Action, 'run' | 'forget'> {
  /** @param load asks for the file @param fallbackName of a file without a name */
  readonly download: (load: () => Promise<Download>, fallbackName: string) => void;
}

/** Downloads one file at a time, and keeps why the last one failed. */
export function useDownload(): Downloading {
  const { busy, failure, run } = useAction();
  return { busy, failure, download: (load, fallbackName) => run(async () => save(await load(), fallbackName)) };
}
