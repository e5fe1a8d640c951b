import { Button } from '@parcelway/page/parts/button';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useState } from 'preact/hooks';
import { type EditableField, editableFields, fixedReport, measuredOf, nameOf, type ReportDraft } from '../domain/report.ts';
import { useWords } from '../messages/language.ts';
import type { QueuedReport } from '../queue/queued-report.ts';
import type { ReportQueue } from '../queue/report-queue.ts';
import { PHOTO_LOST } from '../queue/sender.ts';

const MAX_SHOWN = 30;

function FixForm({ report, queue, onDone }: { readonly report: QueuedReport; readonly queue: ReportQueue; readonly onDone: () => void }) {
  const { t } = useWords();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const values = new FormData(event.currentTarget as HTMLFormElement);
    const texts = Object.fromEntries([...values].map(([field, value]) => [field, String(value)])) as Partial<Record<EditableField, string>>;
    void queue.fix(report, fixedReport(report.draft, texts), !values.has('without-photos')).then(onDone);
  };
  return (
    <form class="fix" onSubmit={submit} noValidate>
      {editableFields(report.draft).map(([field, value], index) => (
        <label key={field}>
          {t.fields[field]}
          <input
            name={field}
            defaultValue={value}
            autocomplete="off"
            aria-invalid={report.fault?.errors.some((error) => error.field === field) || undefined}
            ref={index === 0 ? (input) => input?.focus() : undefined}
          />
        </label>
      ))}
      {report.photos.length > 0 && report.draft.type !== 'photo' && (
        <label class="check">
          <input type="checkbox" name="without-photos" /> {t.reports.withoutPhotos}
        </label>
      )}
      <button type="submit" class="primary">
        {t.reports.sendAgain}
      </button>
    </form>
  );
}

function ReportName({ draft }: { readonly draft: ReportDraft }) {
  const { t } = useWords();
  const measured = measuredOf(draft);
  return (
    <>
      {t.reportTypes[nameOf(draft)]} {measured !== undefined && `${measured.weightKg} kg`}
    </>
  );
}

function RefusedReport({ report, queue }: { readonly report: QueuedReport; readonly queue: ReportQueue }) {
  const { t } = useWords();
  const [mode, setMode] = useState<'shown' | 'fixing' | 'dropping'>('shown');
  const { fault } = report;
  return (
    <li class="refused">
      <p>
        <strong>{report.title}</strong> <ReportName draft={report.draft} /> <code>{report.stamp.event_id}</code>
      </p>
      <p class="fault">{fault?.code === PHOTO_LOST ? t.reports.photoLost : `${fault?.code} ${fault?.message}`}</p>
      {mode === 'fixing' ? (
        <FixForm report={report} queue={queue} onDone={() => setMode('shown')} />
      ) : (
        <p class="buttons">
          <Button onClick={() => setMode('fixing')} text={t.reports.fix} />
          {/* Twice, so that nothing is dropped by a slip. */}
          <Button
            class="danger-quiet"
            onClick={() => (mode === 'dropping' ? void queue.drop(report) : setMode('dropping'))}
            text={mode === 'dropping' ? t.reports.dropSure : t.reports.drop}
          />
        </p>
      )}
    </li>
  );
}

export function ReportsDialog({ queue, onClose }: { readonly queue: ReportQueue; readonly onClose: () => void }) {
  const { t } = useWords();
  const refused = queue.reports.filter(({ fault }) => fault !== undefined);
  const waiting = queue.reports.filter(({ fault }) => fault === undefined);
  return (
    <Dialog title={t.reports.title} onClose={onClose}>
      {queue.reports.length === 0 && <p class="large">{t.reports.none}</p>}
      {refused.length > 0 && (
        <>
          <h3>{t.reports.refused}</h3>
          <ul class="reports">
            {refused.map((report) => (
              <RefusedReport key={report.seq} report={report} queue={queue} />
            ))}
          </ul>
        </>
      )}
      {waiting.length > 0 && (
        <>
          <h3>{t.reports.waiting}</h3>
          <ol class="reports">
            {waiting.slice(0, MAX_SHOWN).map(({ seq, title, draft, photos, stamp }) => (
              <li key={seq}>
                <strong>{title}</strong> <ReportName draft={draft} />{' '}
                <span class="faint">
                  {new Date(stamp.occurred_at).toLocaleTimeString()} {photos.length > 0 && `· ${t.photos.count(photos.length)}`}
                </span>
              </li>
            ))}
          </ol>
          {waiting.length > MAX_SHOWN && <p>{t.reports.more(waiting.length - MAX_SHOWN)}</p>}
        </>
      )}
      <div class="dialog-actions">
        <Button onClick={onClose} text={t.reports.close} />
      </div>
    </Dialog>
  );
}
