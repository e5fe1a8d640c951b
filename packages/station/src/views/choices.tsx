import type { Bench } from '../domain/bench.ts';
import { MAX_OFFERED } from '../domain/carrier.ts';
import { isByProduct } from '../domain/product-code.ts';
import { reasonsInOrder } from '../domain/report.ts';
import { useWords } from '../messages/language.ts';
import { KeyButton } from './key-button.tsx';

/** What these panels need. */
interface PanelProps<At extends Bench['flow']['at']> {
  readonly flow: Extract<Bench['flow'], { at: At }>;
  readonly onLine: (text: string) => void;
  readonly onEscape: () => void;
}

/** Logistics numbers that are shown of each parcel. */
const MAX_NUMBERS = 3;

/** Parcels that fit a scan, each with the reason: one is chosen by its number; one that is alone, with Enter. */
export function ChoosePanel({ flow, onLine, onEscape }: PanelProps<'choose'>) {
  const { t } = useWords();
  const isAlone = flow.candidates.length === 1;
  return (
    <section class="panel" aria-label={t.choose.title(flow.candidates.length)}>
      <h1>{t.choose.title(flow.candidates.length)}</h1>
      <p class="scan-shown">{flow.scan}</p>
      <ol class="candidates">
        {flow.candidates.map(({ forecast, matched_by }, index) => (
          <li key={forecast.forecast_no}>
            <button type="button" onClick={() => onLine(isAlone ? '' : String(index + 1))}>
              <kbd>{isAlone ? 'Enter' : index + 1}</kbd>
              <span class="candidate">
                <strong>{forecast.po_number || forecast.forecast_no}</strong>
                <span>
                  {t.parcel.types[forecast.forecast_type]} · {t.parcel.statuses[forecast.status]} · {t.parcel.items(forecast.item_count)}
                  {forecast.carton_count !== null && ` · ${t.parcel.cartons} ${forecast.carton_count}`}
                  {forecast.due_date !== null && ` · ${t.parcel.due} ${forecast.due_date}`}
                </span>
                <span class="faint">
                  {[forecast.forecast_no, ...forecast.tracking_numbers.slice(0, MAX_NUMBERS)].join(' · ')} · {t.matchedBy[matched_by]}
                </span>
              </span>
              {forecast.on_hold && <span class="flag flag-bad">{t.parcel.onHold}</span>}
            </button>
          </li>
        ))}
        {!flow.candidates.some(isByProduct) && (
          <li>
            <button type="button" onClick={() => onLine('0')}>
              <kbd>0</kbd> {t.choose.none}
            </button>
          </li>
        )}
      </ol>
      {flow.hasMore && <p>{t.choose.more}</p>}
      <p class="buttons">
        <KeyButton keyName="Esc" label={t.unknown.leave} onPress={onEscape} />
      </p>
    </section>
  );
}

/** No parcel fits a scan: it is weighed anyway, or an exception is reported. */
export function UnknownPanel({ flow, onLine, onEscape }: PanelProps<'unknown'>) {
  const { t } = useWords();
  return (
    <section class="panel" aria-label={t.unknown.title}>
      <h1>{t.unknown.title}</h1>
      <p class="scan-shown">{flow.scan}</p>
      <p class="large">{flow.offline ? t.unknown.offline : t.unknown.online}</p>
      <p class="buttons">
        <KeyButton keyName="Enter" label={t.unknown.weigh} tone="primary" onPress={() => onLine('')} />
        <KeyButton keyName="X" label={t.unknown.report} onPress={() => onLine('X')} />
        <KeyButton keyName="Esc" label={t.unknown.leave} onPress={onEscape} />
      </p>
    </section>
  );
}

/** The carriers that connections name, by number. */
export function CarrierChoice({ carriers, onLine }: { readonly carriers: readonly string[]; readonly onLine: (text: string) => void }) {
  const { t } = useWords();
  return (
    <section class="panel" aria-label={t.questions.carrier}>
      <ol class="reasons">
        {carriers.slice(0, MAX_OFFERED).map((code, index) => (
          <li key={code}>
            <KeyButton keyName={String(index + 1)} label={code} onPress={() => onLine(String(index + 1))} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What is wrong with a parcel, by number. */
export function ReasonChoice({ onLine }: { readonly onLine: (text: string) => void }) {
  const { t } = useWords();
  return (
    <section class="panel" aria-label={t.questions.reason}>
      <ol class="reasons">
        {reasonsInOrder.map((reason, index) => (
          <li key={reason}>
            <KeyButton keyName={String(index + 1)} label={t.exceptionReasons[reason]} onPress={() => onLine(String(index + 1))} />
          </li>
        ))}
      </ol>
    </section>
  );
}
