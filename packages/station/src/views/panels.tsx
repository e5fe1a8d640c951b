import { fill, nameIn } from '@parcelway/page/languages';
import { type RecentReport, type RecentState, stateOf } from '../bench/bench-runner.ts';
import type { Bench } from '../domain/bench.ts';
import { isByProduct } from '../domain/count.ts';
import { type Command, keyOf } from '../domain/entry.ts';
import { useWords } from '../messages/language.ts';
import type { QueuedReport } from '../queue/queued-report.ts';

interface KeyButtonProps {
  readonly keyName: string;
  readonly label: string;
  readonly onPress: () => void;
  /** True when nothing would come of it. */
  readonly off?: boolean;
  readonly tone?: 'primary' | 'danger';
}

export function KeyButton({ keyName, label, onPress, off = false, tone }: KeyButtonProps) {
  return (
    <button type="button" class={`key-button ${tone ?? ''}`} aria-disabled={off || undefined} onClick={onPress}>
      <kbd>{keyName}</kbd> {label}
    </button>
  );
}

interface CommandButtonProps extends Partial<Pick<KeyButtonProps, 'label' | 'off' | 'tone'>> {
  readonly command: Command;
  readonly onLine: (text: string) => void;
}

/** A button that does what the letter of a command does. */
export function CommandButton({ command, onLine, ...look }: CommandButtonProps) {
  const { t } = useWords();
  return <KeyButton keyName={keyOf[command]} label={t.commands[command]} onPress={() => onLine(keyOf[command])} {...look} />;
}

/** What can be asked for with no parcel on the bench. */
const IDLE_COMMANDS = ['unclaimed', 'reports', 'scale'] as const;

/** The bench with nothing on it: what to do, and what else can be done. */
export function IdlePanel({ expected, onLine }: { readonly expected: number; readonly onLine: (text: string) => void }) {
  const { t } = useWords();
  return (
    <section class="panel idle" aria-label={t.idle.title}>
      <svg viewBox="0 0 64 40" aria-hidden="true">
        <path d="M4 6v28M10 6v28M15 6v28M24 6v28M28 6v28M36 6v28M42 6v28M47 6v28M56 6v28M60 6v28" />
      </svg>
      <h1>{t.idle.title}</h1>
      <p class="large">{t.idle.hint}</p>
      <ol class="steps">
        {t.idle.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p class="faint">{fill(t.idle.expected, expected)}</p>
      <p class="buttons">
        {IDLE_COMMANDS.map((command) => (
          <CommandButton key={command} command={command} onLine={onLine} />
        ))}
      </p>
    </section>
  );
}

const SHOWN = 6;

const TONES: Readonly<Record<RecentState, string>> = {
  waiting: 'flag-wait',
  sent: 'flag-good',
  refused: 'flag-bad',
  warned: 'flag-wait',
  claimed: 'flag-good',
  dismissed: '',
};

export function RecentReports({
  recent,
  reports,
}: {
  readonly recent: readonly RecentReport[];
  readonly reports: readonly QueuedReport[];
}) {
  const { t } = useWords();
  return (
    <section class="card recent" aria-label={t.recent.title}>
      <h2>{t.recent.title}</h2>
      {recent.length === 0 && <p class="faint">{t.recent.none}</p>}
      <ul>
        {recent.slice(0, SHOWN).map((each) => {
          const state = stateOf(each, reports);
          return (
            <li key={each.eventId}>
              <span class="recent-title">
                <strong>{each.title}</strong> {nameIn(t.reportTypes, each.type)}{' '}
                {each.measured !== undefined && `${each.measured.weightKg} kg`}
              </span>
              <span class={`flag ${TONES[state]}`}>{t.recent.states[state]}</span>
              {each.resolved?.claimedFor !== undefined && (
                <span class="recent-resolved">{fill(t.recent.claimedFor, each.resolved.claimedFor)}</span>
              )}
              {each.warning && !each.resolved && (
                <span class="recent-warning">{nameIn(t.warnings, each.warning.rule, each.warning.message)}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface PanelProps<At extends Bench['flow']['at']> {
  readonly flow: Extract<Bench['flow'], { at: At }>;
  readonly onLine: (text: string) => void;
  readonly onEscape: () => void;
}

const MAX_NUMBERS = 3;

/** Parcels that fit a scan, each with the reason: one is chosen by its number; one that is alone, with Enter. */
export function ChoosePanel({ flow, onLine, onEscape }: PanelProps<'choose'>) {
  const { t } = useWords();
  const isAlone = flow.candidates.length === 1;
  const title = isAlone ? t.choose.oneTitle : fill(t.choose.title, flow.candidates.length);
  return (
    <section class="panel" aria-label={title}>
      <h1>{title}</h1>
      <p class="scan-shown">{flow.scan}</p>
      <ol class="candidates">
        {flow.candidates.map(({ forecast, matched_by }, index) => (
          <li key={forecast.forecast_no}>
            <button type="button" onClick={() => onLine(isAlone ? '' : String(index + 1))}>
              <kbd>{isAlone ? 'Enter' : index + 1}</kbd>
              <span class="candidate">
                <strong>{forecast.po_number || forecast.forecast_no}</strong>
                <span>
                  {nameIn(t.parcel.types, forecast.forecast_type)} · {nameIn(t.statuses, forecast.status)} ·{' '}
                  {fill(t.parcel.items, forecast.item_count)}
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
        <KeyButton keyName="Esc" label={t.common.back} onPress={onEscape} />
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
        <KeyButton keyName="Esc" label={t.common.back} onPress={onEscape} />
      </p>
    </section>
  );
}

/** Replies of which one is chosen by its number. */
export function NumberedChoice(props: {
  readonly label: string;
  readonly names: readonly string[];
  readonly onLine: (text: string) => void;
}) {
  return (
    <section class="panel" aria-label={props.label}>
      <ol class="reasons">
        {props.names.map((name, index) => (
          <li key={name}>
            <KeyButton keyName={String(index + 1)} label={name} onPress={() => props.onLine(String(index + 1))} />
          </li>
        ))}
      </ol>
    </section>
  );
}
