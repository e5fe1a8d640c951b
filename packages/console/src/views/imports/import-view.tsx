import type { ForecastImport } from '@parcelway/contracts/import-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { cancelImport, getImport } from '../../api/imports.ts';
import { useLoad } from '../../data/use-load.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { FullTime } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, useTenantId } from '../../session/session.tsx';
import { ImportBadge } from './import-badge.tsx';
import { progressOf } from './import-columns.ts';
import { ImportRows } from './import-rows.tsx';
import { mappingStorage } from './mapping-storage.ts';
import { ImportWarnings } from './preview-rows.tsx';
import { rememberMapping } from './remembered-mappings.ts';

/** What the view needs. */
export interface ImportViewProps {
  readonly importId: string;
  /** Which rows are shown. */
  readonly state: string;
}

/** Milliseconds between two looks at an import that runs. */
const LOOK_MS = 1000;

/** How far an import is, then what it gave. */
function Outcome({ record }: { readonly record: ForecastImport }) {
  const { t } = useWords();
  const { done, total, percent } = progressOf(record);
  const { phase, state, error } = record;
  const said = total === undefined ? (t.imports.phases[phase] ?? phase) : t.imports.progress(done, total);
  const { validate_only: validateOnly, forecasts_accepted: accepted, forecasts_failed: failed } = record;
  const finished = validateOnly ? t.imports.checkedText(accepted, failed) : t.imports.finished(accepted, failed);
  const text = phase === 'finished' ? finished : said;
  const words = validateOnly ? t.imports.would : t.imports;
  return (
    <section class="card" aria-labelledby="outcome">
      <h2 id="outcome">{t.imports.outcome}</h2>
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
          {t.imports.cancelledText} {error && (t.imports.stopReasons[error.code] ?? error.message)}
        </p>
      )}
      <Facts
        rows={[
          [t.imports.total, String(record.total)],
          [words.accepted, String(record.accepted)],
          [words.failed, String(record.failed)],
          [words.forecastsAccepted, String(accepted)],
          [words.forecastsFailed, String(failed)],
          [t.imports.started, <FullTime key="started" at={record.create_time} />],
          [t.imports.finishedAt, record.finish_time && <FullTime key="finished" at={record.finish_time} />],
        ]}
      />
      <ImportWarnings warnings={record.warnings} />
      {record.failed > 0 && record.state !== 'running' && (
        <p class="hint">{validateOnly ? t.imports.correctChecked : t.imports.correctHint}</p>
      )}
    </section>
  );
}

/** Leads to the import of a file that was only checked, with the fields that were chosen for its columns. */
function ImportNow({ record: { import_id, columns } }: { readonly record: ForecastImport }) {
  const { t } = useWords();
  const tenantId = useTenantId();
  return (
    <a
      class="button primary"
      href={hrefOf({ view: 'new-import', checkId: import_id })}
      onClick={() => rememberMapping(mappingStorage(), tenantId, columns)}
    >
      {t.imports.importNow}
    </a>
  );
}

/** One import: its progress while it runs, then its result with every row that failed. */
export function ImportView({ importId, state }: ImportViewProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const [asking, setAsking] = useState(false);
  const { data: record, failure, reload, replace } = useLoad(importId, (signal) => getImport(client, importId, signal));
  const running = record?.state === 'running';
  usePoll(reload, running, LOOK_MS);
  const cancel = async (): Promise<void> => {
    replace(await cancelImport(client, importId));
    setAsking(false);
    announce(t.imports.cancelled);
  };
  return (
    <>
      <PageHeading
        title={record?.file_name ?? importId}
        crumbs={[{ href: hrefOf({ view: 'imports' }), text: t.imports.title }]}
        beside={record && <ImportBadge record={record} />}
        actions={
          running ? (
            <button type="button" class="danger-quiet" onClick={() => setAsking(true)}>
              {t.imports.cancel}
            </button>
          ) : (
            <>
              <a class="button" href={hrefOf({ view: 'new-import' })}>
                {t.imports.another}
              </a>
              {record?.validate_only && record.state === 'done' && <ImportNow record={record} />}
            </>
          )
        }
      />
      <FailureNotice failure={failure} onRetry={reload} />
      {record === undefined ? (
        failure === undefined && <Skeleton rows={8} />
      ) : (
        <>
          <Outcome record={record} />
          {!running && <ImportRows record={record} state={state} />}
        </>
      )}
      {asking && (
        <ConfirmDialog
          title={t.imports.cancelTitle}
          text={t.imports.cancelText}
          confirm={t.imports.cancel}
          danger
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
