import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { numberText } from '../../format/number.ts';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/growing.tsx';
import { Table } from '../../parts/table.tsx';
import { FullTime } from '../../parts/time.tsx';
import { measuresOf } from './findings.ts';
import { ReportPhotos } from './report-photos.tsx';

type Measurement = ForecastDetail['measurements'][number];

/** Measurements shown at first; a parcel may have many. */
const SHOWN_AT_FIRST = 3;

function Reporter({ reporter }: { readonly reporter: Measurement['reported_by'] }) {
  const { t } = useWords();
  const { warehouse_code, event_id, express_no } = reporter;
  return (
    <p class="faint">
      {t.findings.reportedBy(warehouse_code)}
      {express_no !== null && ` · ${t.findings.scanned(express_no)}`} · {t.findings.event} <code class="id">{event_id}</code>
    </p>
  );
}

function MeasurementItem({ measurement }: { readonly measurement: Measurement }) {
  const { locale } = useWords();
  const { weight_kg, length_cm, width_cm, height_cm, weighed_at, photos, reported_by } = measurement;
  const weight = `${numberText(weight_kg, locale)} kg`;
  return (
    <li>
      <p>
        {weight} · {[length_cm, width_cm, height_cm].map((each) => numberText(each, locale)).join(' × ')} cm
      </p>
      <p class="faint">
        <FullTime at={weighed_at} />
      </p>
      <Reporter reporter={reported_by} />
      <ReportPhotos photos={photos} of={weight} />
    </li>
  );
}

/** What was declared beside what the warehouse measured, and every measurement; nothing while neither is known. */
export function WeightsSection({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t, locale } = useWords();
  const measures = measuresOf(forecast);
  if (measures.length === 0) return null;
  const figure = (value: number | null, unit: string, signed: boolean) =>
    value === null ? (
      '–'
    ) : (
      <>
        {numberText(value, locale, signed)} <span class="unit">{unit}</span>
      </>
    );
  return (
    <section class="card" aria-labelledby="weights">
      <h2 id="weights">{t.findings.weights}</h2>
      <Table
        caption={t.findings.weights}
        items={measures}
        idOf={({ name }) => name}
        columns={[
          { head: t.findings.compared, cell: ({ name }) => t.findings.measures[name] },
          { head: t.parcel.weight, kind: 'number', cell: ({ name, weight }) => figure(weight, 'kg', name === 'difference') },
          { head: t.findings.volume, kind: 'number', cell: ({ name, volume }) => figure(volume, 'cm³', name === 'difference') },
        ]}
      />
      {forecast.chargeable_weight_kg !== null && (
        <p class="faint table-note">{t.findings.chargeableHint(numberText(forecast.volume_divisor, locale))}</p>
      )}
      {forecast.measurements.length > 0 && (
        <>
          <h3>{t.findings.measurements}</h3>
          <Growing items={forecast.measurements} first={SHOWN_AT_FIRST}>
            {(shown) => (
              <ol class="timeline">
                {shown.map((each, index) => (
                  <MeasurementItem key={index} measurement={each} />
                ))}
              </ol>
            )}
          </Growing>
        </>
      )}
    </section>
  );
}
