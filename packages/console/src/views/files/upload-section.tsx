import { useAnnounce } from '@parcelway/page/parts/announce';
import { copyText } from '../../data/copy-text.ts';
import { bytesText } from '../../format/number.ts';
import { failureText } from '../../messages/failure-text.ts';
import { faultText, fieldLabel } from '../../messages/fault-text.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { FilesField } from '../../parts/files-field.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Table } from '../../parts/table.tsx';
import { useUnsaved } from '../../routing/unsaved.ts';
import { tableOf } from './names-and-urls.ts';
import { failedFirst, MOST_LISTED, MOST_UPLOADS, type Upload } from './uploads.ts';
import { useUploads } from './use-uploads.ts';

const TONES: Readonly<Record<Upload['state'], Tone>> = { waiting: 'quiet', uploading: 'busy', done: 'good', failed: 'bad' };

/** Files that are named of those that were not taken. */
const SHOWN_LEFT_OUT = 100;

/** What became of a file: its URL, or why there is none. */
function Result({ upload: { state, receipt, failure } }: { readonly upload: Upload }) {
  const { t } = useWords();
  const faults = failure?.faults ?? [];
  return (
    <>
      <span class="links">
        <Badge tone={TONES[state]}>{t.files.states[state]}</Badge>
        {receipt && <CopyButton text={receipt.url} what={t.files.urlOf(receipt.origin_name)} />}
      </span>
      {receipt?.deduplicated && <span class="under">{t.files.before}</span>}
      {receipt?.warnings.map(({ field, message }) => (
        <span key={field + message} class="under">
          {t.faults.say(message)}
        </span>
      ))}
      {failure && faults.length === 0 && <span class="under">{failureText(failure, t.failures)}</span>}
      {faults.map((fault) => (
        <span key={fault.field + fault.message} class="under">
          {faultText(fault, t, fieldLabel(fault.field, t))}
        </span>
      ))}
    </>
  );
}

/** What becomes of the files that were chosen. What needs somebody, and the copy of all, come before the table of those that went well. */
function Results({ uploads, busy }: { readonly uploads: readonly Upload[]; readonly busy: boolean }) {
  const { t, locale } = useWords();
  const announce = useAnnounce();
  const countOf = (state: Upload['state']): number => uploads.filter((upload) => upload.state === state).length;
  const [uploaded, refused] = [countOf('done'), countOf('failed')];
  const done = uploaded + refused;
  const text = busy ? t.files.progress(done, uploads.length) : t.files.finished(uploaded, refused);
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

/** Names the files that were not taken. */
function LeftOut({ names }: { readonly names: readonly string[] }) {
  const { t, locale } = useWords();
  const shown = names.slice(0, SHOWN_LEFT_OUT);
  const rest = names.length - shown.length;
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }).format(shown);
  return (
    <div class="notice" role="alert">
      <p>{t.files.tooMany(names.length, MOST_UPLOADS, MOST_LISTED)}</p>
      <p>
        {list}
        {rest > 0 && ` ${t.files.more(rest)}`}
      </p>
    </div>
  );
}

/** Uploads PDFs, with one result each. @param props.onDone called when all that were chosen have a result */
export function UploadSection({ onDone }: { readonly onDone: () => void }) {
  const { t } = useWords();
  const { items, busy, leftOut, add } = useUploads(onDone);
  useUnsaved(busy);
  return (
    <section class="card">
      <FilesField label={t.files.upload} hint={busy ? t.files.uploadMore : t.files.uploadHint(MOST_UPLOADS)} accept=".pdf" onFiles={add} />
      {leftOut.length > 0 && <LeftOut names={leftOut} />}
      {items.length > 0 && <Results uploads={items} busy={busy} />}
    </section>
  );
}
