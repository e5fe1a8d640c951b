import type { Download } from '@parcelway/page/api/client';
import { useAction } from '@parcelway/page/data/use-load';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Milliseconds between two looks at something that is about to change. */
const POLL_MS = 3000;

/** Calls `look` while `active`, and only while the page is being looked at. @param every milliseconds */
export function usePoll(look: () => void, active: boolean, every = POLL_MS): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, every);
    return () => clearInterval(timer);
  }, [active, every]);
}

/** The time now, epoch milliseconds, every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Milliseconds for which a saved file can still be read: the browser reads it after the click. */
const READABLE_MS = 60_000;

function save({ content, name }: Download, fallbackName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name === '' ? fallbackName : name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READABLE_MS);
}

/** @returns also `download`, with what asks for a file, and the name of one without */
export function useDownload() {
  const { busy, failure, run } = useAction();
  return {
    busy,
    failure,
    download: (load: () => Promise<Download>, fallbackName: string) => run(async () => save(await load(), fallbackName)),
  };
}

/** Copies a file into memory, so that later changes on the disk do not matter. @throws when the browser can no longer read it */
export const copyOfFile = async (file: File): Promise<File> => new File([await file.arrayBuffer()], file.name, { type: file.type });

/** State of a form. @returns the values, and a function that changes some of them */
export function useValues<Values extends object>(first: Values | (() => Values)): readonly [Values, (part: Partial<Values>) => void] {
  const [values, setValues] = useState(first);
  return [values, (part) => setValues((before) => ({ ...before, ...part }))];
}
