import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { fill } from '@parcelway/page/languages';
import { Card, TabLink } from '@parcelway/page/parts/view';
import { useEffect, useRef } from 'preact/hooks';
import { fieldLabel } from '../../messages/failure-text.ts';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/lists.tsx';
import { FullTime } from '../../parts/values.tsx';
import { useKeyNames } from '../../session/session.tsx';
import type { ForeignChange } from './forecast-values.ts';
import { arrivedAt, linkedKind } from './parcel-values.ts';

function ChangedValue({ field, value }: { readonly field: string; readonly value: string | null }) {
  const { t } = useWords();
  if (value === null) return <span class="faint">{t.findings.nothing}</span>;
  const kind = linkedKind(field, value);
  if (kind === undefined) return value;
  return <TabLink href={value} text={t.findings.openLinked[kind]} />;
}

interface ChangeProps {
  /** JSON path, such as `items[0].product_image`. */
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

function Change({ field, from, to }: ChangeProps) {
  const { t } = useWords();
  return (
    <>
      {fill(t.findings.changed, fieldLabel(field, t))} <span class="visually-hidden">{t.findings.from} </span>
      <ChangedValue field={field} value={from} /> <span aria-hidden="true">→</span> <span class="visually-hidden">{t.findings.to} </span>
      <ChangedValue field={field} value={to} />
    </>
  );
}

type Correction = ForecastDetail['corrections'][number];
const SHOWN_AT_FIRST = { corrections: 5, changes: 5 } as const;

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
        <strong>{fill(t.findings.version, version)}</strong>
      </p>
      <p class="faint">
        <FullTime at={time} /> ·{' '}
        {key_id === null ? (
          fill(t.findings.byWarehouse, arrivedAt(correction) ?? warehouse)
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
    <Card title={t.findings.corrections}>
      <Growing items={forecast.corrections.toReversed()} first={SHOWN_AT_FIRST.corrections}>
        {(shown) => (
          <ol class="timeline">
            {shown.map((each) => (
              <CorrectionItem key={each.version} correction={each} warehouse={forecast.warehouse_code} names={names} />
            ))}
          </ol>
        )}
      </Growing>
    </Card>
  );
}

/** What was corrected, when and by whom, newest first; nothing for a forecast that was never corrected. */
export const CorrectionsSection = ({ forecast }: { readonly forecast: ForecastDetail }) =>
  forecast.corrections.length === 0 ? null : <Corrections forecast={forecast} />;

const FOREIGN_SHOWN = 10;

/** Says what somebody else has changed while a form was filled in. It takes the focus: the button that loaded it is gone. */
export function ForeignChanges({ changes }: { readonly changes: readonly ForeignChange[] }) {
  const { t } = useWords();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <section ref={ref} class="notice" tabIndex={-1} aria-labelledby="foreign-changes">
      <h2 id="foreign-changes">{t.parcelForm.foreignChanges}</h2>
      {changes.length === 0 && <p>{t.parcelForm.noForeignChanges}</p>}
      <Growing items={changes} first={FOREIGN_SHOWN}>
        {(shown) => (
          <ul>
            {shown.map(({ field, from, to, entered }) => (
              <li key={field}>
                <Change field={field} from={from} to={to} />
                {entered !== undefined && (
                  <strong class="under">
                    {t.parcelForm.entered} <ChangedValue field={field} value={entered} />
                  </strong>
                )}
              </li>
            ))}
          </ul>
        )}
      </Growing>
      <p>{t.parcelForm.entriesKept}</p>
    </section>
  );
}
