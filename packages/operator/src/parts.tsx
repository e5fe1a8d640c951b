import type { ApiFailure } from '@parcelway/page/api/failure';
import type { Loaded } from '@parcelway/page/data/use-load';
import { Button } from '@parcelway/page/parts/button';
import { Table as PageTable, type TableProps } from '@parcelway/page/parts/table';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { failureText } from './messages/failure-text.ts';
import { useWords } from './messages/language.ts';

export type Tone = 'good' | 'bad' | 'wait' | 'quiet';
/** A mark for each tone, so that no status is shown by colour alone. */
const MARKS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', wait: '…', quiet: '–' };

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span class={`badge badge-${tone}`}>
      <span aria-hidden="true">{MARKS[tone]}</span> {children}
    </span>
  );
}

export function FailureNotice({ failure, onRetry }: { readonly failure: ApiFailure | undefined; readonly onRetry?: () => void }) {
  const { t } = useWords();
  if (failure === undefined) return null;
  return (
    <div class="notice" role="alert">
      <p>{failureText(failure, t.failures)}</p>
      {failure.faults.length > 0 && (
        <ul>
          {failure.faults.map(({ field, message }) => (
            <li key={field + message}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {failure.requestId !== '' && (
        <p class="faint">
          {t.failures.request} <code>{failure.requestId}</code>
        </p>
      )}
      {onRetry && <Button onClick={onRetry} text={t.common.retry} />}
    </div>
  );
}

/** The head of a view. It takes the focus when the view appears, so that a reader begins there. */
export function Heading({
  title,
  beside,
  actions,
}: {
  readonly title: string;
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = `${title} · Parcelway`;
  }, [title]);
  return (
    <header class="heading">
      <h1 ref={ref} tabIndex={-1}>
        {title}
      </h1>
      {beside}
      {actions && <div class="actions">{actions}</div>}
    </header>
  );
}

export function Card({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

export const Table = <T,>({ none, ...table }: TableProps<T> & { readonly none: string }) =>
  table.items.length === 0 ? <p class="faint">{none}</p> : <PageTable {...table} />;
/** What a list of facts shows: name and value of each. */
export type FactRows = ReadonlyArray<readonly [name: string, value: ComponentChildren]>;

export function Facts({ rows }: { readonly rows: FactRows }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function LoadedBody<T>({ loaded, children }: { readonly loaded: Loaded<T>; readonly children: (data: T) => ComponentChildren }) {
  const { t } = useWords();
  const { data, failure, reload } = loaded;
  return (
    <>
      <FailureNotice failure={failure} onRetry={reload} />
      {data !== undefined && children(data)}
      {data === undefined && failure === undefined && <p class="skeleton faint">{t.common.loading}</p>}
    </>
  );
}

interface LoadedTableProps<Data, T> extends Omit<TableProps<T>, 'items'> {
  readonly loaded: Loaded<Data>;
  readonly itemsOf: (data: Data) => readonly T[];
  readonly none: string;
  /** What is said below the table, such as that there are more rows. */
  readonly note?: (data: Data) => string | false;
}

export function LoadedTable<Data, T>({ loaded, itemsOf, note, ...table }: LoadedTableProps<Data, T>) {
  return (
    <LoadedBody loaded={loaded}>
      {(data) => (
        <>
          <Table items={itemsOf(data)} {...table} />
          {note?.(data) && <p class="faint">{note(data)}</p>}
        </>
      )}
    </LoadedBody>
  );
}

/** An instant in the time zone of the reader. @param at RFC 3339; nothing when null */
export function Time({ at }: { readonly at: string | null }) {
  const { locale } = useWords();
  if (at === null) return <>–</>;
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(at));
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  );
}

export const upTo = (count: number, hasMore: boolean): string => `${count}${hasMore ? '+' : ''}`;

export function Refresh({ loaded }: { readonly loaded: Pick<Loaded<unknown>, 'reload' | 'loading'> }) {
  const { t } = useWords();
  return <Button onClick={loaded.reload} aria-disabled={loaded.loading} text={t.common.refresh} />;
}
