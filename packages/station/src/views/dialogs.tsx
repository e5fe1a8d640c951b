import { fill } from '@parcelway/page/languages';
import { Dialog } from '@parcelway/page/parts/dialog';
import { Button } from '@parcelway/page/parts/view';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { baudRates, readScale, type SerialPortLike, serialOf } from '../devices/scale.ts';
import type { ScaleReading } from '../domain/bench.ts';
import { type EditableField, editableFields, fixedReport, measuredOf, nameOf, type ReportDraft } from '../domain/report.ts';
import { useWords } from '../messages/language.ts';
import type { QueuedReport, ReportQueue } from '../queue/queued-report.ts';
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
                  {new Date(stamp.occurred_at).toLocaleTimeString()} {photos.length > 0 && `· ${fill(t.photos.count, photos.length)}`}
                </span>
              </li>
            ))}
          </ol>
          {waiting.length > MAX_SHOWN && <p>{fill(t.reports.more, waiting.length - MAX_SHOWN)}</p>}
        </>
      )}
      <div class="dialog-actions">
        <Button onClick={onClose} text={t.common.close} />
      </div>
    </Dialog>
  );
}

/** Name under which the browser remembers the speed of the scale; nothing else is remembered there. */
const SPEED = 'parcelway-station-baud';
const DEFAULT_BAUD = 9600;

/** Reads the scale: the one that the user has allowed before at once, another one on request. */
export function useScale(onReading: (reading: ScaleReading | undefined) => void) {
  const [state, setState] = useState({ connected: false, failed: false });
  const running = useRef<AbortController | undefined>(undefined);
  const serial = serialOf(navigator);
  const baudRate = Number(localStorage.getItem(SPEED)) || DEFAULT_BAUD;

  const read = useCallback(
    async (port: SerialPortLike, baud: number): Promise<void> => {
      running.current?.abort();
      const run = new AbortController();
      running.current = run;
      setState({ connected: true, failed: false });
      try {
        await readScale(port, baud, onReading, run.signal);
        setState({ connected: false, failed: false });
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        setState({ connected: false, failed: true });
      }
    },
    [onReading],
  );

  useEffect(() => {
    serial?.getPorts().then(([known]) => known && read(known, baudRate));
    return () => running.current?.abort();
  }, [serial, read]);

  return {
    possible: serial !== undefined,
    ...state,
    baudRate,
    connect(baud: number) {
      localStorage.setItem(SPEED, String(baud));
      serial?.requestPort().then(
        (port) => read(port, baud),
        (error: unknown) => {
          // Nothing was chosen.
          if (!(error instanceof DOMException)) throw error;
        },
      );
    },
    disconnect: () => running.current?.abort(),
  };
}

export function ScaleDialog({ scale, onClose }: { readonly scale: ReturnType<typeof useScale>; readonly onClose: () => void }) {
  const { t } = useWords();
  const speed = useRef<HTMLSelectElement>(null);
  return (
    <Dialog title={t.scale.title} onClose={onClose}>
      {!scale.possible && <p class="large">{t.scale.none}</p>}
      {scale.possible && (
        <label class="field">
          {t.scale.speed}
          <select ref={speed} defaultValue={String(scale.baudRate)}>
            {baudRates.map((rate) => (
              <option key={rate} value={String(rate)}>
                {rate}
              </option>
            ))}
          </select>
          <span class="hint">{t.scale.hint}</span>
        </label>
      )}
      {scale.failed && (
        <p class="fault" role="alert">
          {t.scale.failed}
        </p>
      )}
      <div class="dialog-actions">
        <Button onClick={onClose} text={t.common.close} />
        {scale.connected && <Button onClick={scale.disconnect} text={t.scale.disconnect} />}
        {scale.possible && !scale.connected && (
          <Button class="primary" onClick={() => scale.connect(Number(speed.current?.value))} text={t.scale.connect} />
        )}
      </div>
    </Dialog>
  );
}
