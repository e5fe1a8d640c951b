import { fill, nameIn } from '@parcelway/page/languages';
import { useEffect, useRef } from 'preact/hooks';
import { type AtParcel, type Change, type DocumentKind, hasCount, type Subject, titleOf } from '../domain/bench.ts';
import { documentUrl } from '../domain/corrections.ts';
import { type CountRow, differenceText, isRight, rowsAtBench, summaryOf } from '../domain/count.ts';
import type { ExceptionReason } from '../domain/report.ts';
import { useWords } from '../messages/language.ts';
import { sizeText } from './command-line.tsx';
import { CommandButton } from './panels.tsx';

interface CorrectionAlarmProps {
  readonly changes: readonly Change[];
  readonly outdated: readonly DocumentKind[];
  readonly onSeen: () => void;
}

function CorrectionAlarm({ changes, outdated, onSeen }: CorrectionAlarmProps) {
  const { t } = useWords();
  const { correction } = t;
  return (
    <div class="alarm alarm-correction" role="alert">
      <p>{correction.title}</p>
      {outdated.length > 0 && (
        <p class="alarm-detail">{fill(correction.printedBefore, outdated.map((kind) => t.commands[kind]).join(', '))}</p>
      )}
      {changes.length > 0 && (
        <ul class="alarm-detail">
          {changes.map(({ field, sku, from, to }) => (
            <li key={`${field} ${sku}`}>
              {correction.fields[field]}
              {sku !== undefined && ` ${sku}`}
              {from !== undefined && `: ${from || '–'} → ${to || '–'}`}
            </li>
          ))}
        </ul>
      )}
      <CommandButton command="seen" onLine={onSeen} />
    </div>
  );
}

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
function ItemsTable({ flow }: { readonly flow: AtParcel }) {
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
    <section class="items" ref={list} tabIndex={0} aria-label={fill(t.parcel.items, rows.length)}>
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

const MAX_EXCEPTIONS = 3;

interface Excepted {
  readonly reason: ExceptionReason;
  readonly text?: string | null | undefined;
}

/** What somebody must not overlook. */
function Alarms({ forecast, detail, holdReason, excepted = [] }: Subject) {
  const { t } = useWords();
  const known = detail?.exceptions ?? [];
  const isKnown = (here: Excepted): boolean =>
    known.some(({ reason, text }) => reason === here.reason && (text ?? '') === (here.text ?? ''));
  const exceptions: Excepted[] = [...excepted.filter((here) => !isKnown(here)), ...known.map(({ reason, text }) => ({ reason, text }))];
  const held = detail?.holds.find(({ released_at }) => released_at === null);
  return (
    <>
      {forecast?.status === 7 && <p class="alarm">{t.parcel.cancelled}</p>}
      {(forecast?.status === 5 || forecast?.status === 6) && <p class="alarm alarm-wait">{t.parcel.gone}</p>}
      {forecast?.on_hold === true && (
        <p class="alarm">
          {t.parcel.onHold} <span>{holdReason ?? held?.reason ?? ''}</span> <small>{t.parcel.onHoldHint}</small>
        </p>
      )}
      {exceptions.slice(0, MAX_EXCEPTIONS).map(({ reason, text }) => (
        <p key={`${reason} ${text}`} class="alarm alarm-wait">
          {t.commands.exception}: {t.exceptionReasons[reason]} <span>{text ?? ''}</span>
        </p>
      ))}
    </>
  );
}

const DOCUMENTS: readonly DocumentKind[] = ['label', 'product-label', 'product-labels', 'packing-list', 'packing-slip'];

interface ParcelPanelProps {
  readonly flow: AtParcel;
  readonly outdated: readonly DocumentKind[];
  readonly onLine: (text: string) => void;
  readonly onSeen: () => void;
}

/** What lies on the bench: whose it is, what is in it, what is to be printed. */
export function ParcelPanel({ flow, outdated, onLine, onSeen }: ParcelPanelProps) {
  const { t } = useWords();
  const { subject } = flow;
  const { forecast, detail, scan } = subject;
  const [weighed] = detail?.measurements ?? [];
  return (
    <section class="panel parcel" aria-label={titleOf(subject)}>
      <h1>
        {titleOf(subject)}
        {forecast === undefined ? (
          <span class="flag flag-wait">{t.parcel.unclaimed}</span>
        ) : (
          <>
            <span class="flag">{nameIn(t.parcel.types, forecast.forecast_type)}</span>
            <span class="flag">{nameIn(t.statuses, forecast.status)}</span>
          </>
        )}
      </h1>
      {forecast !== undefined && (
        <p class="facts">
          <span>
            {t.parcel.forecast} <strong>{forecast.forecast_no}</strong>
          </span>
          <span>
            {t.parcel.scanned} <strong>{scan}</strong>
          </span>
          {forecast.carton_count !== null && (
            <span>
              {t.parcel.cartons} <strong>{forecast.carton_count}</strong>
            </span>
          )}
          {forecast.due_date !== null && (
            <span>
              {t.parcel.due} <strong>{forecast.due_date}</strong>
            </span>
          )}
        </p>
      )}
      {flow.alarm !== undefined && <CorrectionAlarm changes={flow.alarm.changes} outdated={outdated} onSeen={onSeen} />}
      <Alarms {...subject} />
      {weighed !== undefined && (
        <p class="facts">
          {fill(
            t.parcel.weighedAs,
            `${weighed.weight_kg} kg`,
            sizeText({ lengthCm: weighed.length_cm, widthCm: weighed.width_cm, heightCm: weighed.height_cm }),
          )}
        </p>
      )}
      {detail !== undefined && flow.question === undefined && (
        <fieldset class="buttons" aria-label={t.documents}>
          {DOCUMENTS.map((kind) => (
            <CommandButton key={kind} command={kind} off={documentUrl(detail, kind) === undefined} onLine={onLine} />
          ))}
        </fieldset>
      )}
      {detail !== undefined && <ItemsTable flow={flow} />}
      {forecast !== undefined && detail === undefined && <p class="large">{t.parcel.listOnly}</p>}
    </section>
  );
}
