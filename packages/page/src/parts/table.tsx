import type { ComponentChildren } from 'preact';

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
