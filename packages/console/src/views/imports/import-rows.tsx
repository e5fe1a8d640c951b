import type { ForecastImport, ImportRow } from '@parcelway/contracts/import-api';
import { downloadFailedRows, formatOf, listRows } from '../../api/imports.ts';
import { useDownload } from '../../data/use-download.ts';
import { usePages } from '../../data/use-pages.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { ListBody } from '../../parts/list-body.tsx';
import { Table } from '../../parts/table.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';
import { RowErrors } from './row-errors.tsx';

/** What the section needs. */
export interface ImportRowsProps {
  readonly record: ForecastImport;
  /** `accepted` or `all`; anything else is the failed rows. */
  readonly state: string;
}

const ROW_TONES: Readonly<Record<string, Tone>> = { accepted: 'good', failed: 'bad', pending: 'wait' };

/** Choice of the tabs → `state` of the query. */
const STATES: Readonly<Record<string, string>> = { accepted: 'accepted', all: '' };

function RowTable({ rows, record: { columns, validate_only } }: { readonly rows: readonly ImportRow[]; readonly record: ForecastImport }) {
  const { t } = useWords();
  const states = validate_only ? t.imports.checkedRowStates : t.imports.rowStates;
  return (
    <Table
      caption={t.imports.rows}
      items={rows}
      idOf={({ row }) => String(row)}
      columns={[
        { head: t.imports.row, cell: ({ row }) => <span class="unbroken">{row}</span> },
        {
          head: t.parcels.poNumber,
          cell: ({ po_number, forecast_no }) =>
            po_number !== null && forecast_no !== null ? (
              <a href={hrefOf({ view: 'parcel', poNumber: po_number })}>{po_number}</a>
            ) : (
              (po_number ?? '–')
            ),
        },
        {
          head: t.common.status,
          kind: 'wide',
          cell: ({ state }) => <Badge tone={ROW_TONES[state] ?? 'quiet'}>{states[state] ?? state}</Badge>,
        },
        { head: t.imports.reasons, cell: ({ errors, warnings }) => <RowErrors errors={errors} warnings={warnings} columns={columns} /> },
      ]}
    />
  );
}

/** The rows of an import with their results; the failed ones first of all. */
export function ImportRows({ record, state }: ImportRowsProps) {
  const { t } = useWords();
  const client = useClient();
  const { busy, failure, download } = useDownload();
  const { import_id: importId, state: progress } = record;
  const asked = STATES[state] ?? 'failed';
  const format = formatOf(record);
  const pages = usePages(
    `${importId} ${asked} ${progress}`,
    (cursor, signal) => listRows(client, importId, { state: asked, cursor, signal }),
    ({ row }) => String(row),
  );
  const words = record.validate_only ? t.imports.checkedRowStates : t.imports.rowStates;
  const choices = [
    ['', words['failed']],
    ['accepted', words['accepted']],
    ['all', t.common.all],
  ] as const;
  return (
    <section class="card" aria-labelledby="rows">
      <header>
        <h2 id="rows">{t.imports.rows}</h2>
        <nav class="tabs" aria-label={t.common.status}>
          {choices.map(([value, name]) => (
            <a key={value} href={hrefOf({ view: 'import', importId, state: value })} aria-current={state === value ? 'true' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        {record.failed > 0 && (
          <button
            type="button"
            aria-disabled={busy}
            onClick={() => download(() => downloadFailedRows(client, importId, format), `failed-${importId}.${format}`)}
          >
            {busy ? t.common.working : t.imports.downloadFailed(format.toUpperCase())}
          </button>
        )}
      </header>
      <FailureNotice failure={failure} />
      <ListBody pages={pages} empty={<Empty title={asked === 'failed' ? t.imports.noFailed : t.imports.noRowsHere} />}>
        {(rows) => <RowTable rows={rows} record={record} />}
      </ListBody>
    </section>
  );
}
