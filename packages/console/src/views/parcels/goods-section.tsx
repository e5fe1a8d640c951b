import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.ts';
import { Growing } from '../../parts/growing.tsx';
import { Table } from '../../parts/table.tsx';

type Item = ForecastDetail['items'][number];

/** Items shown at first; a forecast may have two thousand. */
const SHOWN_AT_FIRST = 10;

/** What the parcel holds. */
export function GoodsSection({ items }: { readonly items: readonly Item[] }) {
  const { t, language } = useWords();
  const rows = items.map((item, index) => ({ item, id: String(index) }));
  const nameOf = (item: Item): string => (language === 'zh' ? (item.product_name_cn ?? item.product_name_en) : item.product_name_en);
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
              { head: t.parcel.product, cell: ({ item }) => nameOf(item) },
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
