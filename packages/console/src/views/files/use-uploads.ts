import { ApiFailure } from '@parcelway/page/api/failure';
import { useEffect, useRef, useState } from 'preact/hooks';
import { uploadPdf } from '../../api/files.ts';
import { copyOfFile } from '../../data/copy-of-file.ts';
import { useClient } from '../../session/session.tsx';
import { roomOf, type Upload, type UploadSteps, uploadAll } from './uploads.ts';

/** Files that are being uploaded. */
export interface Uploads {
  /** In the order in which they were chosen. */
  readonly items: readonly Upload[];
  readonly busy: boolean;
  /** Names of the files that were chosen and are not among them, because they are too many. */
  readonly leftOut: readonly string[];
  /** Takes files: after those that are being uploaded, otherwise in place of those before. */
  readonly add: (files: readonly File[]) => void;
}

/** A wait that an upload makes when the platform asks for it. */
const waitFor = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1000));

/** Uploads PDFs, one after the other, as long as the view is there. @param onDone called after each lot */
export function useUploads(onDone: () => void): Uploads {
  const client = useClient();
  const [items, setItems] = useState<readonly Upload[]>([]);
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  // The list of uploads as it was chosen; undefined while nothing is being uploaded.
  const queue = useRef<Upload[] | undefined>(undefined);
  const stop = useRef(new AbortController());
  const count = useRef(0);
  useEffect(() => () => stop.current.abort(), []);
  const { signal } = stop.current;

  const send: UploadSteps['send'] = async (file, onRate) => {
    const copy = await copyOfFile(file).catch(() => undefined);
    // The browser may read it no more: it was moved, or another program holds it.
    if (copy === undefined) throw new ApiFailure('42204');
    return uploadPdf(client, copy, { signal, onRate });
  };
  const add = (files: readonly File[]): void => {
    const begun = queue.current;
    const to = begun ?? [];
    const room = roomOf(to.length);
    const taken = files.slice(0, room).map((file): Upload => {
      count.current += 1;
      return { id: count.current, file, state: 'waiting' };
    });
    const names = files.slice(room).map(({ name }) => name);
    to.push(...taken);
    setLeftOut((before) => (begun === undefined ? names : [...before, ...names]));
    setItems((before) => (begun === undefined ? taken : [...before, ...taken]));
    if (begun === undefined) start(to);
  };
  const start = (begun: Upload[]): void => {
    queue.current = begun;
    setBusy(true);
    const report = (upload: Upload): void => {
      if (!signal.aborted) setItems((before) => before.map((each) => (each.id === upload.id ? upload : each)));
    };
    void uploadAll(begun, { send, wait: waitFor, signal }, report).finally(() => {
      queue.current = undefined;
      if (signal.aborted) return;
      setBusy(false);
      onDone();
    });
  };
  return { items, busy, leftOut, add };
}
