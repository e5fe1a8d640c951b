import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { numberText } from '../../format/number.ts';
import { useWords } from '../../messages/language.ts';
import { Badge } from '../../parts/badge.tsx';
import { Growing } from '../../parts/growing.tsx';
import { Table } from '../../parts/table.tsx';
import { differingFirst } from './findings.ts';

/** SKUs shown at first; those that differ are the first. */
const SHOWN_AT_FIRST = 10;

/** What the warehouse counted beside what was forecast; nothing until it has counted. */
export function ReceivedSection({ received }: { readonly received: ForecastDetail['received_items'] }) {
  const { t, locale } = useWords();
  if (received.length === 0) return null;
  const differing = received.filter(({ difference }) => difference !== 0).length;
  return (
    <section class="card" aria-labelledby="received">
      <header>
        <h2 id="received">{t.findings.received}</h2>
        {differing > 0 && <Badge tone="bad">{t.findings.differing(differing)}</Badge>}
      </header>
      <Growing items={differingFirst(received)} first={SHOWN_AT_FIRST}>
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
    </section>
  );
}
