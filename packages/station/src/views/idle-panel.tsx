import { type RecentReport, type RecentState, stateOf } from '../bench/recent-reports.ts';
import { useWords } from '../messages/language.ts';
import type { QueuedReport } from '../queue/queued-report.ts';
import { KeyButton, letterOf } from './key-button.tsx';

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
      <p class="faint">{t.idle.expected(expected)}</p>
      <p class="buttons">
        {IDLE_COMMANDS.map((command) => (
          <KeyButton key={command} keyName={letterOf(command)} label={t.commands[command]} onPress={() => onLine(letterOf(command))} />
        ))}
      </p>
    </section>
  );
}

/** Reports that are shown. */
const SHOWN = 6;

const TONES: Readonly<Record<RecentState, string>> = {
  waiting: 'flag-wait',
  sent: 'flag-good',
  refused: 'flag-bad',
  warned: 'flag-wait',
  claimed: 'flag-good',
  dismissed: '',
};

/** What was reported last, and what became of it. */
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
                <strong>{each.title}</strong> {t.reportTypes[each.type]} {each.measured !== undefined && `${each.measured.weightKg} kg`}
              </span>
              <span class={`flag ${TONES[state]}`}>{t.recent.states[state]}</span>
              {each.resolved?.claimedFor !== undefined && (
                <span class="recent-resolved">{t.recent.claimedFor(each.resolved.claimedFor)}</span>
              )}
              {each.warning && !each.resolved && (
                <span class="recent-warning">{t.warnings[each.warning.rule] ?? each.warning.message}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
