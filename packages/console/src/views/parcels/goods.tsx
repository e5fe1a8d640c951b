import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { fill } from '@parcelway/page/languages';
import { Table } from '@parcelway/page/parts/table';
import { Badge, Card } from '@parcelway/page/parts/view';
import { numberText } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/lists.tsx';
import { FullTime } from '../../parts/values.tsx';
import { differingFirst, measuresOf } from './parcel-values.ts';

export function ReportPhotos({ photos, of }: { readonly photos: ForecastDetail['measurements'][number]['photos']; readonly of: string }) {
  const { t } = useWords();
  if (photos.length === 0) return null;
  return (
    <ul class="links links-list">
      {photos.map(({ id, image_url }, index) => (
        <li key={id}>
          <a href={image_url} target="_blank" rel="noreferrer">
            {fill(t.findings.photo, index + 1)}
            <span class="visually-hidden"> ({of})</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

type Measurement = ForecastDetail['measurements'][number];
const MEASUREMENTS_SHOWN = 3;

function MeasurementItem({ measurement }: { readonly measurement: Measurement }) {
  const { t, locale } = useWords();
  const { weight_kg, length_cm, width_cm, height_cm, weighed_at, photos, reported_by } = measurement;
  const { warehouse_code, event_id, express_no } = reported_by;
  const weight = `${numberText(weight_kg, locale)} kg`;
  return (
    <li>
      <p>
        {weight} · {[length_cm, width_cm, height_cm].map((each) => numberText(each, locale)).join(' × ')} cm
      </p>
      <p class="faint">
        <FullTime at={weighed_at} />
      </p>
      <p class="faint">
        {fill(t.findings.reportedBy, warehouse_code)}
        {express_no !== null && ` · ${fill(t.findings.scanned, express_no)}`} · {t.findings.event} <code class="id">{event_id}</code>
      </p>
      <ReportPhotos photos={photos} of={weight} />
    </li>
  );
}

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
    <Card title={t.findings.weights}>
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
        <p class="faint table-note">{fill(t.findings.chargeableHint, numberText(forecast.volume_divisor, locale))}</p>
      )}
      {forecast.measurements.length > 0 && (
        <>
          <h3>{t.findings.measurements}</h3>
          <Growing items={forecast.measurements} first={MEASUREMENTS_SHOWN}>
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
    </Card>
  );
}

type Item = ForecastDetail['items'][number];
const ITEMS_SHOWN = 10;

function Product({ item }: { readonly item: Item }) {
  const { t, language } = useWords();
  const { product_name_en: english, product_name_cn: chinese } = item;
  const [name, other] = language === 'zh' && chinese ? [chinese, english] : [english, chinese];
  // On a narrow page also what has no column there.
  const details = [
    [t.fields.barcode, item.barcode && <code>{item.barcode}</code>, ''],
    [t.fields.tracking_number, item.tracking_number && <code>{item.tracking_number}</code>, ''],
    [t.parcel.price, item.forecast_price, 'narrow'],
    [t.fields.hs_code, item.hs_code, 'narrow'],
  ] as const;
  return (
    <>
      {name}
      {other && other !== name && <span class="under">{other}</span>}
      {details.map(
        ([label, detail, kind]) =>
          (detail || detail === 0) && (
            <span key={label} class={`under ${kind}`}>
              {label} {detail}
            </span>
          ),
      )}
    </>
  );
}

export function GoodsSection({ items }: { readonly items: readonly Item[] }) {
  const { t } = useWords();
  const rows = items.map((item, index) => ({ item, id: String(index) }));
  return (
    <Card title={t.parcel.goods} count={items.length}>
      <Growing items={rows} first={ITEMS_SHOWN}>
        {(shown) => (
          <Table
            caption={t.parcel.goods}
            items={shown}
            idOf={(row) => row.id}
            columns={[
              { head: t.parcel.sku, cell: ({ item }) => <code>{item.sku_code}</code> },
              { head: t.parcel.product, cell: ({ item }) => <Product item={item} /> },
              { head: t.fields.forecast_quantity, kind: 'number', cell: ({ item }) => item.forecast_quantity },
              { head: t.parcel.price, kind: 'wide', cell: ({ item }) => item.forecast_price ?? '–' },
              { head: t.fields.hs_code, kind: 'wide', cell: ({ item }) => item.hs_code ?? '–' },
            ]}
          />
        )}
      </Growing>
    </Card>
  );
}

const SKUS_SHOWN = 10;

export function ReceivedSection({ received }: { readonly received: ForecastDetail['received_items'] }) {
  const { t, locale } = useWords();
  if (received.length === 0) return null;
  const differing = received.filter(({ difference }) => difference !== 0).length;
  return (
    <Card title={t.findings.received} beside={differing > 0 && <Badge tone="bad">{fill(t.findings.differing, differing)}</Badge>}>
      <Growing items={differingFirst(received)} first={SKUS_SHOWN}>
        {(shown) => (
          <Table
            caption={t.findings.received}
            items={shown}
            idOf={({ sku_code }) => sku_code}
            columns={[
              { head: t.parcel.sku, cell: ({ sku_code }) => <code>{sku_code}</code> },
              { head: t.findings.forecast, kind: 'number', cell: ({ forecast_quantity }) => forecast_quantity },
              { head: t.findings.received, kind: 'number', cell: ({ received_quantity }) => received_quantity },
              {
                head: t.findings.measures.difference,
                kind: 'number',
                cell: ({ difference }) => <Badge tone={difference === 0 ? 'good' : 'bad'}>{numberText(difference, locale, true)}</Badge>,
              },
            ]}
          />
        )}
      </Growing>
    </Card>
  );
}
