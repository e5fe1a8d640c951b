import type { ComponentChildren } from 'preact';
import type { Pages } from '../data/use-pages.ts';
import { useSpoken } from './language.tsx';
import { Button, FailureNotice, Skeleton } from './view.tsx';

export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => ComponentChildren;
  /** `wide` is left out on a narrow page, `narrow` on a wide one; `number` is aligned to the right. */
  readonly kind?: 'wide' | 'narrow' | 'number';
}

export interface TableProps<T> {
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<T>>;
  readonly items: readonly T[];
  readonly idOf: (item: T) => string;
}

export function Table<T>({ caption, columns, items, idOf }: TableProps<T>) {
  const [first, ...others] = columns;
  return (
    <div class="table-frame">
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, kind }) => (
              <th key={head} scope="col" class={kind}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={idOf(item)}>
              <th scope="row" class={first?.kind}>
                {first?.cell(item)}
              </th>
              {others.map(({ head, cell, kind }) => (
                <td key={head} class={kind}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ListTableProps<T> extends Pick<TableProps<T>, 'caption' | 'columns'> {
  readonly pages: Pages<T>;
  readonly empty: ComponentChildren;
}

/** A list in whichever state it is: being loaded, failed, empty, or there, with more to load. */
export function ListTable<T>({ pages, empty, ...table }: ListTableProps<T>) {
  const { t } = useSpoken();
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
