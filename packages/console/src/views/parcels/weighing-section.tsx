import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useEffect, useRef } from 'preact/hooks';
import { queryWeighing } from '../../api/parcels.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FullTime } from '../../parts/time.tsx';
import { useClient } from '../../session/session.tsx';
import { OwnImages } from './own-images.tsx';
import { Photos } from './photos.tsx';

type Measurement = ForecastDetail['measurements'][number];

function Current({ measurement }: { readonly measurement: Measurement }) {
  const { t } = useWords();
  const figures = [
    [t.parcel.weight, measurement.weight_kg, 'kg'],
    [t.parcel.length, measurement.length_cm, 'cm'],
    [t.parcel.width, measurement.width_cm, 'cm'],
    [t.parcel.height, measurement.height_cm, 'cm'],
  ] as const;
  return (
    <>
      <dl class="figures">
        {figures.map(([name, value, unit]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value} <span class="unit">{unit}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        {t.parcel.weighedAt} <FullTime at={measurement.weighed_at} />
      </p>
    </>
  );
}

/** Status of a forecast that was cancelled. */
const CANCELLED = 7;

/** The current measurement of the warehouse, and every photo. */
export function WeighingSection({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const client = useClient();
  const { po_number: poNumber, update_time: updateTime } = forecast;
  const { data, failure, reload } = useLoad(poNumber, (signal) => queryWeighing(client, poNumber, signal));
  const loadedFor = useRef(updateTime);
  // What is shown stays until the change is loaded: a dialog that is open would go with it.
  useEffect(() => {
    if (loadedFor.current === updateTime) return;
    loadedFor.current = updateTime;
    reload();
  }, [updateTime, reload]);
  const [current] = forecast.measurements;
  const none =
    forecast.status === CANCELLED ? (
      <Empty title={t.parcel.notWeighedEver} hint={t.parcel.notShippedEverHint} />
    ) : (
      <Empty title={t.parcel.notWeighed} hint={t.parcel.notWeighedHint} />
    );
  return (
    <section class="card" aria-labelledby="measurements">
      <h2 id="measurements">{t.parcel.measurements}</h2>
      {current === undefined ? none : <Current measurement={current} />}
      <FailureNotice failure={failure} onRetry={reload} />
      {data && <Photos weighing={data} />}
      {data && <OwnImages forecast={forecast} images={data.forecast_images} onChange={reload} />}
    </section>
  );
}
