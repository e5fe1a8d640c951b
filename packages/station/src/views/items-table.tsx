import { useEffect, useRef } from 'preact/hooks';
import type { AtParcel } from '../domain/bench.ts';
import { hasCount } from '../domain/bench.ts';
import { type CountRow, differenceText, isRight, summaryOf } from '../domain/count.ts';
import { rowsAtBench } from '../domain/count-lines.ts';
import { useWords } from '../messages/language.ts';

/** How many pieces more or less than forecast; nothing of what has not been counted. */
function Difference({ forecast, counted }: Pick<CountRow, 'forecast' | 'counted'>) {
  if (counted === undefined) return <td class="number quantity">–</td>;
  const difference = counted - forecast;
  const text = difference === 0 ? '✓' : difference > 0 ? `+${difference}` : `−${-difference}`;
  return <td class={`number quantity ${difference === 0 ? 'right' : 'wrong'}`}>{text}</td>;
}

/** Brings the marked line near the middle of the list, below whole lines. The page stays where it is. */
function intoView(row: HTMLElement | null): void {
  const list = row?.closest('.items');
  const table = row?.closest('table');
  if (!row || !list || !table) return;
  const head = table.tHead?.offsetHeight ?? 0;
  const top = row.offsetTop - (list.clientHeight - row.offsetHeight) / 2;
  const tops = [...(table.tBodies[0]?.rows ?? [])].map((each) => each.offsetTop - head);
  list.scrollTop = tops.findLast((each) => each <= top) ?? 0;
}

const barcodeOf = (items: CountRow['items']): string => [...new Set(items.flatMap(({ barcode }) => barcode || []))].join(' ');

/** What is in the parcel: each SKU once, with what was counted of it as soon as somebody counts. */
export function ItemsTable({ flow }: { readonly flow: AtParcel }) {
  const { t, language } = useWords();
  const counting = flow.question?.ask === 'count' ? flow.question : undefined;
  const rows = rowsAtBench(flow);
  const counts = counting !== undefined || hasCount(flow) || rows.some(({ counted }) => counted !== undefined);
  // A count needs the room, and shows the barcode under the SKU.
  const barcodes = !counts && rows.some(({ items }) => items.some(({ barcode }) => Boolean(barcode)));
  const total = summaryOf(rows);
  const list = useRef<HTMLElement>(null);
  const isCounting = counting !== undefined;
  useEffect(() => {
    if (!isCounting && list.current !== null) list.current.scrollTop = 0;
  }, [isCounting]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by the keyboard.
    <section class="items" ref={list} tabIndex={0} aria-label={t.parcel.items(rows.length)}>
      <table>
        <thead>
          <tr>
            {counts && <th scope="col">{t.count.line}</th>}
            <th scope="col" class="number">
              {t.parcel.quantity}
            </th>
            {counts && (
              <>
                <th scope="col" class="number">
                  {t.count.counted}
                </th>
                <th scope="col" class="number">
                  {t.count.difference}
                </th>
              </>
            )}
            <th scope="col">{t.parcel.item}</th>
            <th scope="col">{t.parcel.sku}</th>
            {barcodes && <th scope="col">{t.parcel.barcode}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ sku, items, forecast, counted }, index) => {
            const [item] = items;
            const marked = counting?.current === sku;
            return (
              <tr key={sku} class={marked ? 'marked' : ''} aria-current={marked || undefined} ref={marked ? intoView : undefined}>
                {counts && <td class="faint">{index + 1}</td>}
                <td class="number quantity">{forecast}</td>
                {counts && (
                  <>
                    <td class="number quantity">{counted ?? '–'}</td>
                    <Difference forecast={forecast} counted={counted} />
                  </>
                )}
                <td>
                  {item === undefined
                    ? t.count.extra
                    : (language === 'zh' ? item.product_name_cn : undefined) || item.product_name_en || item.product_name_cn}
                </td>
                <td>
                  {sku}
                  {counts && barcodeOf(items) !== '' && <span class="below">{barcodeOf(items)}</span>}
                </td>
                {barcodes && <td>{barcodeOf(items)}</td>}
              </tr>
            );
          })}
        </tbody>
        {counts && (
          <tfoot>
            <tr>
              <th scope="row">{t.count.total}</th>
              <td class="number quantity">{total.forecast}</td>
              <td class="number quantity">{total.counted}</td>
              <td class={`number quantity ${isRight(total) ? 'right' : 'wrong'}`}>{differenceText(total) || '✓'}</td>
              <td colSpan={2} />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
