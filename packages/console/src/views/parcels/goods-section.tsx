import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/growing.tsx';
import { Table } from '../../parts/table.tsx';

type Item = ForecastDetail['items'][number];

/** Items shown at first; a forecast may have two thousand. */
const SHOWN_AT_FIRST = 10;

/** What an item is called in both languages, and the numbers that it was declared with. */
function Product({ item }: { readonly item: Item }) {
  const { t, language } = useWords();
  const { product_name_en: english, product_name_cn: chinese } = item;
  const [name, other] = language === 'zh' && chinese ? [chinese, english] : [english, chinese];
  const numbers = [
    [t.parcel.barcode, item.barcode],
    [t.parcel.logisticsNumber, item.tracking_number],
  ] as const;
  return (
    <>
      {name}
      {other && other !== name && <span class="under">{other}</span>}
      {numbers.map(
        ([label, number]) =>
          number && (
            <span key={label} class="under">
              {label} <code>{number}</code>
            </span>
          ),
      )}
      {item.forecast_price !== undefined && (
        <span class="under narrow">
          {t.parcel.price} {item.forecast_price}
        </span>
      )}
      {item.hs_code && (
        <span class="under narrow">
          {t.parcel.hsCode} {item.hs_code}
        </span>
      )}
    </>
  );
}

/** What the parcel holds. */
export function GoodsSection({ items }: { readonly items: readonly Item[] }) {
  const { t } = useWords();
  const rows = items.map((item, index) => ({ item, id: String(index) }));
  return (
    <section class="card" aria-labelledby="goods">
      <h2 id="goods">
        {t.parcel.goods} <span class="count">{items.length}</span>
      </h2>
      <Growing items={rows} first={SHOWN_AT_FIRST}>
        {(shown) => (
          <Table
            caption={t.parcel.goods}
            items={shown}
            idOf={(row) => row.id}
            columns={[
              { head: t.parcel.sku, cell: ({ item }) => <code>{item.sku_code}</code> },
              { head: t.parcel.product, cell: ({ item }) => <Product item={item} /> },
              { head: t.parcel.quantity, kind: 'number', cell: ({ item }) => item.forecast_quantity },
              { head: t.parcel.price, kind: 'wide', cell: ({ item }) => item.forecast_price ?? '–' },
              { head: t.parcel.hsCode, kind: 'wide', cell: ({ item }) => item.hs_code ?? '–' },
            ]}
          />
        )}
      </Growing>
    </section>
  );
}
