import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/growing.tsx';
import { FullTime } from '../../parts/time.tsx';
import { useKeyNames } from '../../session/use-key-names.ts';
import { Change } from './changed-value.tsx';
import { arrivedAt } from './findings.ts';

type Correction = ForecastDetail['corrections'][number];

/** Corrections shown at first, and changes of one. */
const SHOWN_AT_FIRST = { corrections: 5, changes: 5 } as const;

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
              <li key={change.field}>
                <Change field={change.field} from={change.from} to={change.to} />
              </li>
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
