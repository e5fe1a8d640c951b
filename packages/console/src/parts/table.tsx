import type { ComponentChildren } from 'preact';

/** A column of a table. */
export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => ComponentChildren;
  /** `wide` is left out on a narrow page, `narrow` on a wide one; `number` is aligned to the right. */
  readonly kind?: 'wide' | 'narrow' | 'number';
}

/** What a table needs. */
export interface TableProps<T> {
  /** Names the table. */
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<T>>;
  readonly items: readonly T[];
  readonly idOf: (item: T) => string;
}

/** A table of things; the first cell of a row names the thing. */
export function Table<T>({ caption, columns, items, idOf }: TableProps<T>) {
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
              {columns.map(({ head, cell, kind }, index) =>
                index === 0 ? (
                  <th key={head} scope="row" class={kind}>
                    {cell(item)}
                  </th>
                ) : (
                  <td key={head} class={kind}>
                    {cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
