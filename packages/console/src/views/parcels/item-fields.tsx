import { type ApiFailure, faultsAt } from '@parcelway/page/api/failure';
import { useRef, useState } from 'preact/hooks';
import { useWords } from '../../messages/language.ts';
import { Faults } from '../../parts/faults.tsx';
import { Field } from '../../parts/field.tsx';
import {
  EMPTY_ITEM,
  type ItemField,
  type ItemValues,
  isNumber,
  itemFields,
  lastFaultyItem,
  requiredItemFields,
} from './forecast-values.ts';

/** What the fields need. */
export interface ItemFieldsProps {
  readonly items: readonly ItemValues[];
  readonly failure: ApiFailure | undefined;
  readonly onChange: (items: readonly ItemValues[]) => void;
}

/** Items shown at first, and how many more each time; a forecast may have two thousand. */
const STEP = 10;

interface OneItemProps {
  readonly item: ItemValues;
  readonly index: number;
  readonly failure: ApiFailure | undefined;
  readonly change: (part: Partial<ItemValues>) => void;
  /** Undefined for the only item. */
  readonly remove: (() => void) | undefined;
}

function OneItem({ item, index, failure, change, remove }: OneItemProps) {
  const { t } = useWords();
  const further = itemFields.filter((field) => !requiredItemFields.includes(field));
  const faultsOf = (field: ItemField) => faultsAt(failure, `items[${index}].${field}`);
  const control = (field: ItemField) => (
    <Field
      key={field}
      label={t.fields[field]}
      optional={requiredItemFields.includes(field) ? undefined : t.common.optional}
      faults={faultsOf(field)}
    >
      {(ids) => (
        <input
          {...ids}
          inputMode={isNumber(field) ? 'decimal' : 'text'}
          value={item[field]}
          onInput={(event) => change({ [field]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  const open = further.some((field) => item[field] !== '' || faultsOf(field).length > 0);
  return (
    <fieldset class="item">
      <legend>{t.parcelForm.item(index + 1)}</legend>
      <div class="pair">{requiredItemFields.map(control)}</div>
      <details open={open}>
        <summary>{t.parcelForm.further}</summary>
        <div class="pair">{further.map(control)}</div>
      </details>
      {remove && (
        <button type="button" onClick={remove}>
          {t.common.remove(t.parcelForm.item(index + 1))}
        </button>
      )}
    </fieldset>
  );
}

/** The items of a parcel: a list that can grow and shrink. */
export function ItemFields({ items, failure: found, onChange }: ItemFieldsProps) {
  const { t } = useWords();
  const [count, setCount] = useState(STEP);
  // Once an item is removed, the faults name others than they were found in.
  const [outdated, setOutdated] = useState<ApiFailure>();
  const failure = found === outdated ? undefined : found;
  const faults = failure?.faults ?? [];
  const shown = Math.max(count, lastFaultyItem(faults.map(({ field }) => field)) + 1);
  const change = (index: number, part: Partial<ItemValues>): void =>
    onChange(items.map((item, each) => (each === index ? { ...item, ...part } : item)));
  const adder = useRef<HTMLButtonElement>(null);
  const remove = (index: number): void => {
    onChange(items.filter((_, each) => each !== index));
    setOutdated(found);
    // The button that had the focus is gone.
    adder.current?.focus();
  };
  return (
    <>
      <h2>
        {t.parcel.goods} <span class="count">{items.length}</span>
      </h2>
      <Faults id="items-faults" faults={faults.filter(({ field }) => field === 'items' || /^items\[\d+\]$/.test(field))} />
      {items.slice(0, shown).map((item, index) => (
        <OneItem
          key={index}
          item={item}
          index={index}
          failure={failure}
          change={(part) => change(index, part)}
          remove={items.length > 1 ? () => remove(index) : undefined}
        />
      ))}
      <div class="form-actions">
        {items.length > shown && (
          <button type="button" onClick={() => setCount(shown + STEP)}>
            {t.common.more}
          </button>
        )}
        <button
          ref={adder}
          type="button"
          onClick={() => {
            setCount(Math.max(shown, items.length + 1));
            onChange([...items, EMPTY_ITEM]);
          }}
        >
          {t.parcelForm.addItem}
        </button>
      </div>
    </>
  );
}
