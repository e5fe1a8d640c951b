import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/growing.tsx';
import { FullTime } from '../../parts/time.tsx';
import { ReportPhotos } from './report-photos.tsx';

/** Exceptions shown at first; a parcel may have many. */
const SHOWN_AT_FIRST = 3;

function Hold({ hold }: { readonly hold: ForecastDetail['holds'][number] | undefined }) {
  const { t } = useWords();
  return (
    <div class="notice">
      <p>
        <strong>{t.findings.onHold}</strong> {hold?.reason}
      </p>
      {hold && (
        <p class="faint">
          {t.findings.since} <FullTime at={hold.held_at} />
        </p>
      )}
    </div>
  );
}

function Exception({ exception: { reason, text, occurred_at, photos } }: { readonly exception: ForecastDetail['exceptions'][number] }) {
  const { t } = useWords();
  const what = t.findings.exceptions[reason] ?? reason;
  return (
    <div class="notice notice-bad">
      <p>
        <strong>{what}</strong> {text}
      </p>
      <p class="faint">
        {t.findings.found} <FullTime at={occurred_at} />
      </p>
      <ReportPhotos photos={photos} of={what} />
    </div>
  );
}

/** What keeps a parcel back and what the warehouse found wrong with it; nothing for one that is well. */
export function Alarms({ forecast: { on_hold, holds, exceptions } }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  if (!on_hold && exceptions.length === 0) return null;
  return (
    <section class="alarms" aria-label={t.findings.alarms}>
      {on_hold && <Hold hold={holds.find(({ released_at }) => released_at === null)} />}
      <Growing items={exceptions} first={SHOWN_AT_FIRST}>
        {(shown) => shown.map((exception, index) => <Exception key={index} exception={exception} />)}
      </Growing>
    </section>
  );
}
