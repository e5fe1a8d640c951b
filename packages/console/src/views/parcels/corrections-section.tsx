import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/growing.tsx';
import { FullTime } from '../../parts/time.tsx';
import { arrivedAt } from './findings.ts';

type Correction = ForecastDetail['corrections'][number];

/** Corrections shown at first, and changes of one. */
const SHOWN_AT_FIRST = { corrections: 5, changes: 5 } as const;

function Change({ change: { field, from, to } }: { readonly change: Correction['changes'][number] }) {
  const { t } = useWords();
  const shownValue = (value: string | null) => value ?? <span class="faint">{t.findings.nothing}</span>;
  return (
    <li>
      <code>{field}</code> <span class="visually-hidden">{t.findings.from} </span>
      {shownValue(from)} <span aria-hidden="true">→</span> <span class="visually-hidden">{t.findings.to} </span>
      {shownValue(to)}
    </li>
  );
}

function CorrectionItem({ correction, warehouse }: { readonly correction: Correction; readonly warehouse: string }) {
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
            {t.findings.byKey} <code class="id">{key_id}</code>
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

/** What was corrected, when and by whom, newest first; nothing for a forecast that was never corrected. */
export function CorrectionsSection({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  if (forecast.corrections.length === 0) return null;
  return (
    <section class="card" aria-labelledby="corrections">
      <h2 id="corrections">{t.findings.corrections}</h2>
      <Growing items={forecast.corrections.toReversed()} first={SHOWN_AT_FIRST.corrections}>
        {(shown) => (
          <ol class="timeline">
            {shown.map((each) => (
              <CorrectionItem key={each.version} correction={each} warehouse={forecast.warehouse_code} />
            ))}
          </ol>
        )}
      </Growing>
    </section>
  );
}
