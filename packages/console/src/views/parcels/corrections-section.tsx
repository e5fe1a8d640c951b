import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { fieldLabel } from '../../messages/fault-text.ts';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/growing.tsx';
import { FullTime } from '../../parts/time.tsx';
import { useKeyNames } from '../../session/use-key-names.ts';
import { arrivedAt, linkedKind } from './findings.ts';

type Correction = ForecastDetail['corrections'][number];

/** Corrections shown at first, and changes of one. */
const SHOWN_AT_FIRST = { corrections: 5, changes: 5 } as const;

/** A value before or after, as the merchant knows it. */
function ChangedValue({ field, value }: { readonly field: string; readonly value: string | null }) {
  const { t } = useWords();
  if (value === null) return <span class="faint">{t.findings.nothing}</span>;
  const kind = linkedKind(field, value);
  if (kind === undefined) return value;
  return (
    <a href={value} target="_blank" rel="noreferrer">
      {t.findings.openLinked[kind]}
    </a>
  );
}

function Change({ change: { field, from, to } }: { readonly change: Correction['changes'][number] }) {
  const { t } = useWords();
  return (
    <li>
      {t.findings.changed(fieldLabel(field, t))} <span class="visually-hidden">{t.findings.from} </span>
      <ChangedValue field={field} value={from} /> <span aria-hidden="true">→</span> <span class="visually-hidden">{t.findings.to} </span>
      <ChangedValue field={field} value={to} />
    </li>
  );
}

/** What an entry of the list needs. */
interface CorrectionItemProps {
  readonly correction: Correction;
  readonly warehouse: string;
  /** `key_id` → description. */
  readonly names: ReadonlyMap<string, string>;
}

function CorrectionItem({ correction, warehouse, names }: CorrectionItemProps) {
  const { t } = useWords();
  const { version, time, key_id, changes, has_more_changes } = correction;
  return (
    <li>
      <p>
        <strong>{t.findings.version(version)}</strong>
      </p>
      <p class="faint">
        <FullTime at={time} /> ·{' '}
        {key_id === null ? (
          t.findings.byWarehouse(arrivedAt(correction) ?? warehouse)
        ) : (
          <>
            {t.findings.byKey} {names.get(key_id) ?? <code class="id">{key_id}</code>}
          </>
        )}
      </p>
      <Growing items={changes} first={SHOWN_AT_FIRST.changes}>
        {(shown) => (
          <ul class="plain">
            {shown.map((change) => (
              <Change key={change.field} change={change} />
            ))}
          </ul>
        )}
      </Growing>
      {has_more_changes && <p class="faint">{t.findings.moreChanges}</p>}
    </li>
  );
}

function Corrections({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const names = useKeyNames();
  return (
    <section class="card" aria-labelledby="corrections">
      <h2 id="corrections">{t.findings.corrections}</h2>
      <Growing items={forecast.corrections.toReversed()} first={SHOWN_AT_FIRST.corrections}>
        {(shown) => (
          <ol class="timeline">
            {shown.map((each) => (
              <CorrectionItem key={each.version} correction={each} warehouse={forecast.warehouse_code} names={names} />
            ))}
          </ol>
        )}
      </Growing>
    </section>
  );
}

/** What was corrected, when and by whom, newest first; nothing for a forecast that was never corrected. */
export function CorrectionsSection({ forecast }: { readonly forecast: ForecastDetail }) {
  return forecast.corrections.length === 0 ? null : <Corrections forecast={forecast} />;
}
