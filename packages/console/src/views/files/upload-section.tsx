import { ApiFailure } from '@parcelway/page/api/failure';
import { fill } from '@parcelway/page/languages';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Table } from '@parcelway/page/parts/table';
import { Badge, CopyButton, copyText, type Tone } from '@parcelway/page/parts/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { uploadPdf } from '../../api/files.ts';
import { copyOfFile } from '../../data/hooks.ts';
import { bytesText } from '../../format.ts';
import { inWords } from '../../messages/failure-text.ts';
import { useWords } from '../../messages/language.ts';
import { ProgressBar } from '../../parts/charts.tsx';
import { FilesField } from '../../parts/file-fields.tsx';
import { useUnsaved } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { failedFirst, MOST_LISTED, MOST_UPLOADS, roomOf, tableOf, type Upload, type UploadSteps, uploadAll } from './uploads.ts';

const waitFor = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1000));

/** Uploads PDFs, one after the other, as long as the view is there. @param onDone called after each lot */
function useUploads(onDone: () => void) {
  const client = useClient();
  const [items, setItems] = useState<readonly Upload[]>([]);
  // Names of the files that were chosen and are not among them, because they are too many.
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  // The list of uploads as it was chosen; undefined while nothing is being uploaded.
  const queue = useRef<Upload[] | undefined>(undefined);
  const stop = useRef(new AbortController());
  const count = useRef(0);
  useEffect(() => () => stop.current.abort(), []);
  const { signal } = stop.current;

  const send: UploadSteps['send'] = async (file) => {
    const copy = await copyOfFile(file).catch(() => undefined);
    // The browser can no longer read it: it was moved, or another program holds it.
    if (copy === undefined) throw new ApiFailure('42204');
    return uploadPdf(client, copy, { signal });
  };
  // After those that are being uploaded, otherwise in place of those before.
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

const TONES: Readonly<Record<Upload['state'], Tone>> = { waiting: 'quiet', uploading: 'busy', done: 'good', failed: 'bad' };
/** Files that are named of those that were not taken. */
const SHOWN_LEFT_OUT = 100;

/** What became of a file: its URL, or why there is none. */
function Result({ upload: { state, receipt, failure } }: { readonly upload: Upload }) {
  const { t, sayFailure, sayFault } = useWords();
  const faults = failure?.faults ?? [];
  return (
    <>
      <span class="links">
        <Badge tone={TONES[state]}>{t.files.states[state]}</Badge>
        {receipt && <CopyButton text={receipt.url} what={fill(t.files.urlOf, receipt.origin_name)} />}
      </span>
      {receipt?.deduplicated && <span class="under">{t.files.before}</span>}
      {receipt?.warnings.map(({ field, message }) => (
        <span key={field + message} class="under">
          {inWords(message, t)}
        </span>
      ))}
      {failure && faults.length === 0 && <span class="under">{sayFailure(failure)}</span>}
      {faults.map((fault) => (
        <span key={fault.field + fault.message} class="under">
          {sayFault(fault)}
        </span>
      ))}
    </>
  );
}

function Results({ uploads, busy }: { readonly uploads: readonly Upload[]; readonly busy: boolean }) {
  const { t, locale } = useWords();
  const announce = useAnnounce();
  const countOf = (state: Upload['state']): number => uploads.filter((upload) => upload.state === state).length;
  const [uploaded, refused] = [countOf('done'), countOf('failed')];
  const done = uploaded + refused;
  const text = busy ? fill(t.files.progress, done, uploads.length) : fill(t.files.finished, uploaded, refused);
  const copy = async (): Promise<void> => {
    const copied = await copyText(tableOf(uploads.flatMap(({ receipt }) => receipt ?? [])));
    announce(copied ? t.common.copied : t.common.notCopied);
  };
  return (
    <>
      <ProgressBar label={t.files.results} percent={Math.floor((done / uploads.length) * 100)} warns={!busy && refused > 0} text={text} />
      {!busy && uploaded > 0 && (
        <p class="hint table-note">
          <button type="button" onClick={() => void copy()}>
            {t.files.copyTable}
          </button>{' '}
          {t.files.copyTableHint}
        </p>
      )}
      <Table
        caption={t.files.results}
        items={failedFirst(uploads)}
        idOf={({ id }) => String(id)}
        columns={[
          { head: t.files.name, cell: ({ file }) => file.name },
          { head: t.files.size, kind: 'wide', cell: ({ file }) => bytesText(file.size, locale) },
          { head: t.common.status, cell: (upload) => <Result upload={upload} /> },
        ]}
      />
    </>
  );
}

/** Uploads PDFs, with one result each. @param props.onDone called when all that were chosen have a result */
export function UploadSection({ onDone }: { readonly onDone: () => void }) {
  const { t, locale } = useWords();
  const { items, busy, leftOut, add } = useUploads(onDone);
  const shown = leftOut.slice(0, SHOWN_LEFT_OUT);
  useUnsaved(busy);
  return (
    <section class="card">
      <FilesField
        label={t.files.upload}
        hint={busy ? t.files.uploadMore : fill(t.files.uploadHint, MOST_UPLOADS)}
        accept=".pdf"
        onFiles={add}
      />
      {leftOut.length > 0 && (
        <div class="notice" role="alert">
          <p>{fill(t.files.tooMany, leftOut.length, MOST_UPLOADS, MOST_LISTED)}</p>
          <p>
            {new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }).format(shown)}
            {leftOut.length > shown.length && ` ${fill(t.files.more, leftOut.length - shown.length)}`}
          </p>
        </div>
      )}
      {items.length > 0 && <Results uploads={items} busy={busy} />}
    </section>
  );
}
