import { type AtParcel, type Subject, titleOf } from '../domain/bench.ts';
import { type DocumentKind, documentUrl } from '../domain/documents.ts';
import type { ExceptionReason } from '../domain/report.ts';
import { useWords } from '../messages/language.ts';
import { sizeText } from './command-line.tsx';
import { CorrectionAlarm } from './correction-alarm.tsx';
import { ItemsTable } from './items-table.tsx';
import { KeyButton, letterOf } from './key-button.tsx';

/** Exceptions that are shown. */
const MAX_EXCEPTIONS = 3;

interface Excepted {
  readonly reason: ExceptionReason;
  readonly text?: string | null | undefined;
}

/** What somebody must not overlook. */
function Alarms({ forecast, detail, holdReason, excepted = [] }: Subject) {
  const { t } = useWords();
  const known = detail?.exceptions ?? [];
  const isKnown = (here: Excepted): boolean =>
    known.some(({ reason, text }) => reason === here.reason && (text ?? '') === (here.text ?? ''));
  const exceptions: Excepted[] = [...excepted.filter((here) => !isKnown(here)), ...known.map(({ reason, text }) => ({ reason, text }))];
  const held = detail?.holds.find(({ released_at }) => released_at === null);
  return (
    <>
      {forecast?.status === 7 && <p class="alarm">{t.parcel.cancelled}</p>}
      {(forecast?.status === 5 || forecast?.status === 6) && <p class="alarm alarm-wait">{t.parcel.gone}</p>}
      {forecast?.on_hold === true && (
        <p class="alarm">
          {t.parcel.onHold} <span>{holdReason ?? held?.reason ?? ''}</span> <small>{t.parcel.onHoldHint}</small>
        </p>
      )}
      {exceptions.slice(0, MAX_EXCEPTIONS).map(({ reason, text }) => (
        <p key={`${reason} ${text}`} class="alarm alarm-wait">
          {t.parcel.exception}: {t.exceptionReasons[reason]} <span>{text ?? ''}</span>
        </p>
      ))}
    </>
  );
}

const DOCUMENTS: readonly DocumentKind[] = ['label', 'product-label', 'product-labels', 'packing-list', 'packing-slip'];

/** What the panel needs. */
export interface ParcelPanelProps {
  readonly flow: AtParcel;
  /** Documents that were printed here before the parcel was corrected. */
  readonly outdated: readonly DocumentKind[];
  readonly onLine: (text: string) => void;
  readonly onSeen: () => void;
}

/** What lies on the bench: whose it is, what is in it, what is to be printed. */
export function ParcelPanel({ flow, outdated, onLine, onSeen }: ParcelPanelProps) {
  const { t } = useWords();
  const { subject } = flow;
  const { forecast, detail, scan } = subject;
  const [weighed] = detail?.measurements ?? [];
  return (
    <section class="panel parcel" aria-label={titleOf(subject)}>
      <h1>
        {titleOf(subject)}
        {forecast === undefined ? (
          <span class="flag flag-wait">{t.parcel.unclaimed}</span>
        ) : (
          <>
            <span class="flag">{t.parcel.types[forecast.forecast_type]}</span>
            <span class="flag">{t.parcel.statuses[forecast.status]}</span>
          </>
        )}
      </h1>
      {forecast !== undefined && (
        <p class="facts">
          <span>
            {t.parcel.forecast} <strong>{forecast.forecast_no}</strong>
          </span>
          <span>
            {t.parcel.scanned} <strong>{scan}</strong>
          </span>
          {forecast.carton_count !== null && (
            <span>
              {t.parcel.cartons} <strong>{forecast.carton_count}</strong>
            </span>
          )}
          {forecast.due_date !== null && (
            <span>
              {t.parcel.due} <strong>{forecast.due_date}</strong>
            </span>
          )}
        </p>
      )}
      {flow.alarm !== undefined && <CorrectionAlarm changes={flow.alarm.changes} outdated={outdated} onSeen={onSeen} />}
      <Alarms {...subject} />
      {weighed !== undefined && (
        <p class="facts">
          {t.parcel.weighedAs(
            `${weighed.weight_kg} kg`,
            sizeText({ lengthCm: weighed.length_cm, widthCm: weighed.width_cm, heightCm: weighed.height_cm }),
          )}
        </p>
      )}
      {detail !== undefined && flow.question === undefined && (
        <fieldset class="buttons" aria-label={t.documents}>
          {DOCUMENTS.map((kind) => (
            <KeyButton
              key={kind}
              keyName={letterOf(kind)}
              label={t.commands[kind]}
              off={documentUrl(detail, kind) === undefined}
              onPress={() => onLine(letterOf(kind))}
            />
          ))}
        </fieldset>
      )}
      {detail !== undefined && <ItemsTable flow={flow} />}
      {forecast !== undefined && detail === undefined && <p class="large">{t.parcel.listOnly}</p>}
    </section>
  );
}
