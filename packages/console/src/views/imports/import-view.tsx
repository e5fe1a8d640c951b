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
import { useClient } from '../../session/session.tsx';
import { ImportBadge } from './import-badge.tsx';
import { progressOf } from './import-columns.ts';
import { ImportRows } from './import-rows.tsx';
import { ImportWarnings } from './preview-rows.tsx';

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
  const text = phase === 'finished' ? t.imports.finished(record.forecasts_accepted, record.forecasts_failed) : said;
  return (
    <section class="card" aria-labelledby="outcome">
      <h2 id="outcome">{t.imports.outcome}</h2>
      {error === null && state !== 'cancelled' && <ProgressBar label={t.imports.outcome} percent={percent} text={text} />}
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
          [t.imports.accepted, String(record.accepted)],
          [t.imports.failed, String(record.failed)],
          [t.imports.forecastsAccepted, String(record.forecasts_accepted)],
          [t.imports.forecastsFailed, String(record.forecasts_failed)],
          [t.imports.started, <FullTime key="started" at={record.create_time} />],
          [t.imports.finishedAt, record.finish_time && <FullTime key="finished" at={record.finish_time} />],
        ]}
      />
      <ImportWarnings warnings={record.warnings} />
      {record.failed > 0 && record.state !== 'running' && <p class="hint">{t.imports.correctHint}</p>}
    </section>
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
            <a class="button" href={hrefOf({ view: 'new-import' })}>
              {t.imports.another}
            </a>
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
