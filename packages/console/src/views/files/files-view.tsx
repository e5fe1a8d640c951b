import type { OwnFile } from '@parcelway/contracts/own-files-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { deleteFile, listFiles, MOST_OF_PAGE } from '../../api/files.ts';
import { usePages } from '../../data/use-pages.ts';
import { bytesText } from '../../format/number.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ListBody } from '../../parts/list-body.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { CopyList } from './copy-list.tsx';
import { UploadSection } from './upload-section.tsx';

/** What the view needs. */
export interface FilesViewProps {
  /** `true` for files that a parcel names, `false` for the others, empty for both. */
  readonly used: string;
  /** `day`, `week` or `month`; empty for any time. */
  readonly range: string;
}

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };

/** Parcels that are named of a file. */
const SHOWN_USES = 3;

/** The instant at which a range begins; undefined for any time. */
function beginOf(range: string): string | undefined {
  const days = DAYS[range];
  return days === undefined ? undefined : new Date(Date.now() - days * DAY_MS).toISOString();
}

function Filters({ used, range }: FilesViewProps) {
  const { t } = useWords();
  const options = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, name]) => (
      <option key={value} value={value === 'all' ? '' : value}>
        {name}
      </option>
    ));
  return (
    <search class="filters">
      <select
        aria-label={t.files.use}
        value={used}
        onChange={({ currentTarget: { value } }) => goTo({ view: 'files', used: value, range })}
      >
        {options(t.files.uses)}
      </select>
      <select
        aria-label={t.files.range}
        value={range}
        onChange={({ currentTarget: { value } }) => goTo({ view: 'files', used, range: value })}
      >
        {options(t.files.ranges)}
      </select>
    </search>
  );
}

/** The parcels that name a file. */
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
      {count > shown.length && <span class="faint">{t.files.more(count - shown.length)}</span>}
    </span>
  );
}

function FileTable({ files, onDelete }: { readonly files: readonly OwnFile[]; readonly onDelete: (file: OwnFile) => void }) {
  const { t, locale } = useWords();
  return (
    <Table
      caption={t.files.own}
      items={files}
      idOf={({ attachment_id }) => String(attachment_id)}
      columns={[
        {
          head: t.files.name,
          cell: ({ url, origin_name, size_byte, create_time }) => (
            <>
              <a href={url} target="_blank" rel="noreferrer">
                {origin_name}
              </a>
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
          head: t.files.actions,
          cell: (file) => (
            <span class="links">
              <CopyButton text={file.url} what={t.files.urlOf(file.origin_name)} />
              {file.used_by_count === 0 && (
                <button type="button" aria-label={t.files.deleteOf(file.origin_name)} onClick={() => onDelete(file)}>
                  {t.files.delete}
                </button>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}

/** The merchant's PDFs, newest first: uploaded here or elsewhere, with the parcels that name them. */
export function FilesView({ used, range }: FilesViewProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const [deleting, setDeleting] = useState<OwnFile>();
  // Counts deletions: the list begins again, so that no page of it has what is gone.
  const [turn, setTurn] = useState(0);
  const list = `files ${used} ${range} ${turn}`;
  const filter = () => ({ used: used || undefined, createdFrom: beginOf(range) });
  const pages = usePages(
    list,
    (cursor, signal) => listFiles(client, filter(), { cursor, signal }),
    ({ attachment_id }) => String(attachment_id),
  );
  const remove = async ({ attachment_id }: OwnFile): Promise<void> => {
    await deleteFile(client, attachment_id);
    setDeleting(undefined);
    setTurn((count) => count + 1);
    announce(t.files.deleted);
  };
  const isFiltered = used !== '' || range !== '';
  return (
    <>
      <PageHeading title={t.files.title} />
      <p class="lead">{t.files.lead}</p>
      <UploadSection onDone={pages.refresh} />
      <Filters used={used} range={range} />
      {pages.items !== undefined && pages.items.length > 0 && (
        <CopyList key={list} readPage={(cursor, signal) => listFiles(client, filter(), { cursor, signal, limit: MOST_OF_PAGE })} />
      )}
      <ListBody
        pages={pages}
        empty={isFiltered ? <Empty title={t.files.noMatch} /> : <Empty title={t.files.empty} hint={t.files.emptyHint} />}
      >
        {(files) => <FileTable files={files} onDelete={setDeleting} />}
      </ListBody>
      {deleting && (
        <ConfirmDialog
          title={t.files.deleteTitle}
          text={t.files.deleteText(deleting.origin_name)}
          confirm={t.files.delete}
          danger
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
