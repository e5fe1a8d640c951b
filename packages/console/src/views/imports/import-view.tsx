import type { ForecastImport, ImportRow } from '@parcelway/contracts/import-api';
import { pathOf } from '@parcelway/page/api/client';
import { fill, nameIn } from '@parcelway/page/languages';
import { useAsk } from '@parcelway/page/parts/form-dialog';
import { ListTable } from '@parcelway/page/parts/table';
import { Badge, Button, Card, Facts, FailureNotice, LinkButton, LoadedBody, PageHeading, type Tone } from '@parcelway/page/parts/view';
import { IMPORT, ROWS_PER_PAGE } from '../../api/files.ts';
import { useDownload, usePoll } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { ProgressBar } from '../../parts/charts.tsx';
import { Empty, Tabs } from '../../parts/lists.tsx';
import { FullTime } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, useGet, useList, useTenantId } from '../../session/session.tsx';
import { progressOf } from './import-columns.ts';
import { ImportBadge } from './imports-view.tsx';
import { mappingStorage, rememberMapping } from './kept.ts';
import { ImportWarnings, RowErrors } from './preview.tsx';

interface ImportRowsProps {
  readonly record: ForecastImport;
  /** `accepted` or `all`; anything else is the failed rows. */
  readonly state: string;
}

/** Milliseconds that the file of 50,000 failed rows may take. */
const DOWNLOAD_DEADLINE_MS = 120_000;
const ROW_TONES: Readonly<Record<string, Tone>> = { accepted: 'good', failed: 'bad', pending: 'wait' };
/** Choice of the tabs → `state` of the query. */
const STATES: Readonly<Record<string, string>> = { accepted: 'accepted', all: '' };

function ImportRows({ record, state }: ImportRowsProps) {
  const { t } = useWords();
  const client = useClient();
  const { busy, failure, download } = useDownload();
  const { import_id: importId } = record;
  const asked = STATES[state] ?? 'failed';
  const format = record.file_name.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv';
  const failedRows = () =>
    client.download(pathOf(`${IMPORT}/failed-rows`, importId), { query: { format }, deadlineMs: DOWNLOAD_DEADLINE_MS });
  const pages = useList<ImportRow>(pathOf(`${IMPORT}/rows`, importId), 'rows', { state: asked, limit: ROWS_PER_PAGE }, 'row');
  const states = record.validate_only ? t.imports.checkedRowStates : t.imports.rowStates;
  const choices = [
    ['', states['failed']],
    ['accepted', states['accepted']],
    ['all', t.common.all],
  ] as const;
  return (
    <Card
      title={t.imports.rows}
      beside={
        <>
          <Tabs
            label={t.common.status}
            links={choices.map(([value, name]) => [hrefOf({ view: 'import', importId, state: value }), name, state === value])}
          />
          {record.failed > 0 && (
            <Button
              aria-disabled={busy}
              onClick={() => download(failedRows, `failed-${importId}.${format}`)}
              text={busy ? t.common.working : fill(t.imports.downloadFailed, format.toUpperCase())}
            />
          )}
        </>
      }
    >
      <FailureNotice failure={failure} />
      <ListTable
        pages={pages}
        empty={<Empty title={asked === 'failed' ? t.imports.noFailed : t.imports.noRowsHere} />}
        caption={t.imports.rows}
        columns={[
          { head: t.imports.row, cell: ({ row }) => <span class="unbroken">{row}</span> },
          {
            head: t.fields.po_number,
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
          {
            head: t.imports.reasons,
            cell: ({ errors, warnings }) => <RowErrors errors={errors} warnings={warnings} columns={record.columns} />,
          },
        ]}
      />
    </Card>
  );
}

/** Milliseconds between two looks at an import that runs. */
const LOOK_MS = 1000;

function Outcome({ record }: { readonly record: ForecastImport }) {
  const { t } = useWords();
  const { done, total, percent } = progressOf(record);
  const { phase, state, error } = record;
  const said = total === undefined ? (t.imports.phases[phase] ?? phase) : fill(t.imports.progress, done, total);
  const { validate_only: validateOnly, forecasts_accepted: accepted, forecasts_failed: failed } = record;
  const finished = validateOnly ? fill(t.imports.checkedText, accepted, failed) : fill(t.imports.finished, accepted, failed);
  const text = phase === 'finished' ? finished : said;
  const words = validateOnly ? t.imports.would : t.imports;
  return (
    <Card title={t.imports.outcome}>
      {validateOnly && <p class="notice">{t.imports.checkedOnlyText}</p>}
      {error === null && state !== 'cancelled' && (
        <ProgressBar label={t.imports.outcome} percent={percent} warns={phase === 'finished' && failed > 0} text={text} />
      )}
      {error !== null && state !== 'cancelled' && (
        <p class="notice notice-bad" role="alert">
          {t.imports.unreadable} {error.message}
        </p>
      )}
      {state === 'cancelled' && (
        <p class="notice">
          {t.imports.cancelledText} {error && nameIn(t.imports.stopReasons, error.code, error.message)}
        </p>
      )}
      <Facts
        rows={[
          [t.imports.total, String(record.total)],
          [words.accepted, String(record.accepted)],
          [words.failed, String(record.failed)],
          [words.forecastsAccepted, String(accepted)],
          [words.forecastsFailed, String(failed)],
          [t.common.started, <FullTime key="started" at={record.create_time} />],
          [t.imports.finishedAt, record.finish_time && <FullTime key="finished" at={record.finish_time} />],
        ]}
      />
      <ImportWarnings warnings={record.warnings} />
      {record.failed > 0 && record.state !== 'running' && (
        <p class="hint">{validateOnly ? t.imports.correctChecked : t.imports.correctHint}</p>
      )}
    </Card>
  );
}

/** One import: its progress while it runs, then its result with every row that failed. */
export function ImportView({ importId, state }: { readonly importId: string; readonly state: string }) {
  const { t } = useWords();
  const client = useClient();
  const tenantId = useTenantId();
  const [dialog, ask] = useAsk();
  const loaded = useGet<ForecastImport>(pathOf(IMPORT, importId));
  const { data: record, reload, replace } = loaded;
  const running = record?.state === 'running';
  usePoll(reload, running, LOOK_MS);
  const cancel = (): void =>
    ask({
      title: t.imports.cancelTitle,
      text: t.imports.cancelText,
      submit: t.imports.cancel,
      danger: true,
      run: async () => {
        replace(await client.call<ForecastImport>(pathOf(`${IMPORT}/cancel`, importId), { method: 'POST' }));
        return t.imports.cancelled;
      },
    });
  return (
    <>
      <PageHeading
        title={record?.file_name ?? importId}
        crumbs={[{ href: hrefOf({ view: 'imports' }), text: t.nav.imports }]}
        beside={record && <ImportBadge record={record} />}
        actions={
          running ? (
            <Button class="danger-quiet" onClick={cancel} text={t.imports.cancel} />
          ) : (
            <>
              <LinkButton href={hrefOf({ view: 'new-import' })} text={t.imports.another} />
              {record?.validate_only && record.state === 'done' && (
                // The fields that were chosen for its columns go along.
                <a
                  class="button primary"
                  href={hrefOf({ view: 'new-import', checkId: importId })}
                  onClick={() => rememberMapping(mappingStorage(), tenantId, record.columns)}
                >
                  {t.imports.importNow}
                </a>
              )}
            </>
          )
        }
      />
      <LoadedBody loaded={loaded}>
        {(record) => (
          <>
            <Outcome record={record} />
            {!running && <ImportRows record={record} state={state} />}
          </>
        )}
      </LoadedBody>
      {dialog}
    </>
  );
}
