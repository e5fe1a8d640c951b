import type { Loaded } from '@parcelway/page/data/use-load';
import { Table, type TableProps } from '@parcelway/page/parts/table';
import { Card, LoadedBody, Refresh } from '@parcelway/page/parts/view';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWords } from './messages/language.ts';

interface SearchFormProps {
  readonly label: string;
  readonly text?: string;
  readonly maxLength?: number;
  readonly onFind: (text: string) => void;
}

export function SearchForm({ label, text: first = '', maxLength = 200, onFind }: SearchFormProps) {
  const { t } = useWords();
  const [text, setText] = useState(first);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onFind(text.trim());
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">{t.common.find}</button>
    </form>
  );
}

interface LoadedTableProps<Data, T> extends Omit<TableProps<T>, 'items'> {
  readonly loaded: Loaded<Data>;
  readonly itemsOf: (data: Data) => readonly T[];
  readonly none: string;
  /** What is said below the table, such as that there are more rows. */
  readonly note?: (data: Data) => string | false;
}

export function LoadedTable<Data, T>({ loaded, itemsOf, none, note, ...table }: LoadedTableProps<Data, T>) {
  return (
    <LoadedBody loaded={loaded} rows={3}>
      {(data) => (
        <>
          {itemsOf(data).length === 0 ? <p class="faint">{none}</p> : <Table items={itemsOf(data)} {...table} />}
          {note?.(data) && <p class="faint table-note">{note(data)}</p>}
        </>
      )}
    </LoadedBody>
  );
}

type TableCardProps<Data, T> = Omit<LoadedTableProps<Data, T>, 'caption'> & { readonly title: string; readonly beside?: ComponentChildren };

/** A table with its title. @param props.beside default: a button that loads it again */
export function TableCard<Data, T>({ title, beside, ...table }: TableCardProps<Data, T>) {
  return (
    <Card title={title} beside={beside ?? <Refresh loaded={table.loaded} />}>
      <LoadedTable caption={title} {...table} />
    </Card>
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
