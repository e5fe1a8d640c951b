import { Table, type TableProps } from '@parcelway/page/parts/table';
import { Button, FailureNotice, Skeleton } from '@parcelway/page/parts/view';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Pages } from '../data/hooks.ts';
import { useWords } from '../messages/language.ts';

export function Empty({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}

interface ListTableProps<T> extends Pick<TableProps<T>, 'caption' | 'columns'> {
  readonly pages: Pages<T>;
  readonly empty: ComponentChildren;
}

/** A list in whichever state it is: being loaded, failed, empty, or there, with more to load. */
export function ListTable<T>({ pages, empty, ...table }: ListTableProps<T>) {
  const { t } = useWords();
  const { items, idOf, failure, moreFailure, loading, more, refresh } = pages;
  return (
    <>
      <FailureNotice failure={failure} onRetry={refresh} />
      {items === undefined && failure === undefined && <Skeleton rows={8} />}
      {items !== undefined && (items.length === 0 ? empty : <Table items={items} idOf={idOf} {...table} />)}
      {items !== undefined && more && (
        <div class="more">
          <FailureNotice failure={moreFailure} />
          <Button aria-disabled={loading} onClick={more} text={loading ? t.common.loading : t.common.more} />
        </div>
      )}
    </>
  );
}

interface GrowingProps<T> {
  readonly items: readonly T[];
  readonly first: number;
  readonly children: (shown: readonly T[]) => ComponentChildren;
}

const STEP = 100;

export function Growing<T>({ items, first, children }: GrowingProps<T>) {
  const { t } = useWords();
  const [count, setCount] = useState(first);
  return (
    <>
      {children(items.slice(0, count))}
      {items.length > count && (
        <div class="more">
          <Button onClick={() => setCount(count + STEP)} text={t.common.more} />
        </div>
      )}
    </>
  );
}

interface TabsProps {
  readonly label: string;
  readonly links: ReadonlyArray<readonly [href: string, name: string | undefined, isCurrent: boolean]>;
}

export const Tabs = ({ label, links }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {links.map(([href, name, isCurrent]) => (
      <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
        {name}
      </a>
    ))}
  </nav>
);
