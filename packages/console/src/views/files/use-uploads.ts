import { ApiFailure } from '@parcelway/page/api/failure';
import { useEffect, useRef, useState } from 'preact/hooks';
import { uploadPdf } from '../../api/files.ts';
import { copyOfFile } from '../../data/copy-of-file.ts';
import { useClient } from '../../session/session.tsx';
import { MOST_UPLOADS, type Upload, uploadAll } from './uploads.ts';

/** Files that are being uploaded. */
export interface Uploads {
  /** In the order in which they were chosen. */
  readonly items: readonly Upload[];
  readonly busy: boolean;
  /** True when more were chosen than are taken at once. */
  readonly isTooMany: boolean;
  /** Takes files in place of those before; nothing while those are being uploaded. */
  readonly add: (files: readonly File[]) => void;
}

/** A wait that an upload makes when the platform asks for it. */
const waitFor = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1000));

/** Uploads PDFs, one after the other, as long as the view is there. @param onDone called after each lot */
export function useUploads(onDone: () => void): Uploads {
  const client = useClient();
  const [items, setItems] = useState<readonly Upload[]>([]);
  const [busy, setBusy] = useState(false);
  const [isTooMany, setTooMany] = useState(false);
  const stop = useRef(new AbortController());
  const count = useRef(0);
  useEffect(() => () => stop.current.abort(), []);
  const { signal } = stop.current;

  const send = async (file: File) => {
    const copy = await copyOfFile(file).catch(() => undefined);
    // The browser may read it no more: it was moved, or another program holds it.
    if (copy === undefined) throw new ApiFailure('42204');
    return uploadPdf(client, copy, signal);
  };
  const add = (files: readonly File[]): void => {
    if (busy) return;
    const taken = files.slice(0, MOST_UPLOADS).map((file): Upload => {
      count.current += 1;
      return { id: count.current, file, state: 'waiting' };
    });
    setTooMany(files.length > taken.length);
    setItems(taken);
    setBusy(true);
    const report = (upload: Upload): void => {
      if (!signal.aborted) setItems((before) => before.map((each) => (each.id === upload.id ? upload : each)));
    };
    void uploadAll(taken, { send, wait: waitFor, signal }, report).finally(() => {
      if (signal.aborted) return;
      setBusy(false);
      onDone();
    });
  };
  return { items, busy, isTooMany, add };
}
