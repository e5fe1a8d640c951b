import type { OwnFile } from '@parcelway/contracts/own-files-api';
import { pathOf } from '@parcelway/page/api/client';
import type { Page } from '@parcelway/page/data/paging';
import { useAction } from '@parcelway/page/data/use-load';
import { usePages } from '@parcelway/page/data/use-pages';
import { fill } from '@parcelway/page/languages';
import { useAsk } from '@parcelway/page/parts/form-dialog';
import { ListTable } from '@parcelway/page/parts/table';
import { Button, CopyButton, copyText, FailureNotice, PageHeading, TabLink } from '@parcelway/page/parts/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { listFiles, MAX_PAGE_SIZE } from '../../api/files.ts';
import { bytesText } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { Select } from '../../parts/forms.tsx';
import { Empty } from '../../parts/lists.tsx';
import { Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { UploadSection } from './upload-section.tsx';
import { MOST_COPIED, type NamedFile, type ReadFiles, readFiles, tableOf } from './uploads.ts';

/** Copies the names and URLs of all files of a list, not only of those that are shown. */
function CopyList({ readPage }: { readonly readPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<NamedFile>> }) {
  const { t } = useWords();
  const { busy, failure, run } = useAction();
  const [said, setSaid] = useState('');
  // Read, but not copied: after a long reading, a browser may want another click.
  const kept = useRef<ReadFiles | undefined>(undefined);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const copy = async (): Promise<void> => {
    const before = kept.current;
    kept.current = undefined;
    setSaid(t.common.loading);
    const read = (cursor: string | undefined) => readPage(cursor, stop.current.signal);
    const found = before ?? (await readFiles(read, (count) => setSaid(fill(t.files.reading, count))));
    const { length } = found.files;
    if (await copyText(tableOf(found.files)))
      return setSaid(found.isCut ? fill(t.files.copiedFirst, MOST_COPIED) : fill(t.files.copiedRows, length));
    if (before !== undefined) return setSaid(t.common.notCopied);
    kept.current = found;
    setSaid(fill(t.files.copyAgain, length));
  };
  return (
    <>
      <div class="filters">
        <Button aria-disabled={busy} onClick={() => run(copy)} text={t.files.copyList} />
        <p class="hint" role="status">
          {failure === undefined && said}
        </p>
      </div>
      <FailureNotice failure={failure} />
    </>
  );
}

interface FilesViewProps {
  /** `true` for files that a parcel names, `false` for the others, empty for both. */
  readonly used: string;
  /** `day`, `week` or `month`; empty for any time. */
  readonly range: string;
}

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };
const SHOWN_USES = 3;

/** The instant at which a range begins; undefined for any time. */
function beginOf(range: string): string | undefined {
  const days = DAYS[range];
  return days === undefined ? undefined : new Date(Date.now() - days * DAY_MS).toISOString();
}

function Filters({ used, range }: FilesViewProps) {
  const { t } = useWords();
  const any = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, name]) => [value === 'all' ? '' : value, name] as const);
  return (
    <search class="filters">
      <Select
        label={t.files.use}
        value={used}
        options={any(t.files.uses)}
        onValue={(value) => goTo({ view: 'files', used: value, range })}
      />
      <Select
        label={t.files.time}
        value={range}
        options={any(t.files.ranges)}
        onValue={(value) => goTo({ view: 'files', used, range: value })}
      />
    </search>
  );
}

function Uses({ file: { used_by: uses, used_by_count: count } }: { readonly file: OwnFile }) {
  const { t } = useWords();
  if (count === 0) return <span class="faint">{t.files.unused}</span>;
  const shown = uses.slice(0, SHOWN_USES);
  return (
    <span class="links">
      {shown.map(({ po_number: poNumber, forecast_no }) =>
        poNumber === null ? (
          <code key={forecast_no}>{forecast_no}</code>
        ) : (
          <a key={forecast_no} href={hrefOf({ view: 'parcel', poNumber })}>
            {poNumber}
          </a>
        ),
      )}
      {count > shown.length && <span class="faint">{fill(t.files.more, count - shown.length)}</span>}
    </span>
  );
}

/** The merchant's PDFs, newest first: uploaded here or elsewhere, with the parcels that name them. */
export function FilesView({ used, range }: FilesViewProps) {
  const { t, locale } = useWords();
  const client = useClient();
  const [dialog, ask] = useAsk();
  // Counts deletions: the list begins again, so that no page of it has what is gone.
  const [turn, setTurn] = useState(0);
  const list = `files ${used} ${range} ${turn}`;
  const filter = () => ({ used: used || undefined, createdFrom: beginOf(range) });
  const pages = usePages(list, (at) => listFiles(client, filter(), at), 'attachment_id');
  const remove = ({ attachment_id, origin_name }: OwnFile): void =>
    ask({
      title: t.files.deleteTitle,
      text: fill(t.files.deleteText, origin_name),
      submit: t.common.delete,
      danger: true,
      run: async () => {
        await client.call(pathOf('/open/v1/files/{attachment_id}', String(attachment_id)), { method: 'DELETE' });
        setTurn((count) => count + 1);
        return t.files.deleted;
      },
    });
  const isFiltered = used !== '' || range !== '';
  return (
    <>
      <PageHeading title={t.nav.files} />
      <p class="lead">{t.files.lead}</p>
      <UploadSection onDone={pages.refresh} />
      <Filters used={used} range={range} />
      {pages.items !== undefined && pages.items.length > 0 && (
        <CopyList key={list} readPage={(cursor, signal) => listFiles(client, filter(), { cursor, signal, limit: MAX_PAGE_SIZE })} />
      )}
      <ListTable
        pages={pages}
        empty={isFiltered ? <Empty title={t.files.noMatch} /> : <Empty title={t.files.empty} hint={t.files.emptyHint} />}
        caption={t.files.own}
        columns={[
          {
            head: t.files.name,
            cell: ({ url, origin_name, size_byte, create_time }) => (
              <>
                <TabLink href={url} text={origin_name} />
                <span class="under narrow">
                  {bytesText(size_byte, locale)} · <Time at={create_time} />
                </span>
              </>
            ),
          },
          { head: t.files.size, kind: 'wide', cell: ({ size_byte }) => bytesText(size_byte, locale) },
          { head: t.files.time, kind: 'wide', cell: ({ create_time }) => <Time at={create_time} /> },
          { head: t.files.usedBy, cell: (file) => <Uses file={file} /> },
          {
            head: t.common.actions,
            cell: (file) => (
              <span class="links">
                <CopyButton text={file.url} what={fill(t.files.urlOf, file.origin_name)} />
                {file.used_by_count === 0 && (
                  <Button aria-label={fill(t.files.deleteOf, file.origin_name)} onClick={() => remove(file)} text={t.common.delete} />
                )}
              </span>
            ),
          },
        ]}
      />
      {dialog}
    </>
  );
}
