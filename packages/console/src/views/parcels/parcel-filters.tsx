import { useEffect, useState } from 'preact/hooks';
import { type ForecastFilter, isFiltered } from '../../api/forecast-filter.ts';
import { useWords } from '../../messages/language.ts';
import { Field } from '../../parts/field.tsx';
import { HOME, hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';

/** Fields of the filter that are texts, with the longest text that the API takes. */
const TEXTS = [
  ['forecastNo', 64],
  ['trackingNumber', 64],
  ['skuCode', 100],
  ['warehouseCode', 64],
] as const satisfies readonly (readonly [keyof ForecastFilter, number])[];

/** What a parcel may be looked for with one click. */
const CONDITIONS = ['hasException', 'onHold'] as const satisfies readonly (keyof ForecastFilter)[];

const DAYS = ['createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'] as const satisfies readonly (keyof ForecastFilter)[];

/** What the further conditions need. */
interface FurtherProps {
  readonly values: ForecastFilter;
  readonly change: (part: Partial<ForecastFilter>) => void;
}

function Further({ values, change }: FurtherProps) {
  const { t } = useWords();
  return (
    <details class="further" open={isFiltered(values, ['status', 'prefix', ...CONDITIONS])}>
      <summary>{t.parcels.furtherFilters}</summary>
      <div class="pair">
        {TEXTS.map(([field, maxLength]) => (
          <Field key={field} label={t.parcels.filters[field]}>
            {(ids) => (
              <input
                {...ids}
                maxLength={maxLength}
                value={values[field]}
                onInput={(event) => change({ [field]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
        {DAYS.map((field) => (
          <Field key={field} label={t.parcels.filters[field]}>
            {(ids) => (
              <input {...ids} type="date" value={values[field]} onInput={(event) => change({ [field]: event.currentTarget.value })} />
            )}
          </Field>
        ))}
      </div>
      <button type="submit">{t.parcels.applyFilters}</button>
    </details>
  );
}

/** What the list is narrowed to. The filter is in the address, so this keeps only what is being typed. */
export function ParcelFilters({ filter }: { readonly filter: ForecastFilter }) {
  const { t } = useWords();
  const [values, setValues] = useState(filter);
  // The address has changed: by this form, a link or the browser's back button.
  useEffect(() => setValues(filter), [JSON.stringify(filter)]);
  const change = (part: Partial<ForecastFilter>): void => setValues((before) => ({ ...before, ...part }));
  const search = (event: Event): void => {
    event.preventDefault();
    goTo({ view: 'parcels', filter: values });
  };
  return (
    <search>
      <form class="parcel-filters" onSubmit={search}>
        <div class="filters">
          <input
            type="search"
            aria-label={t.parcels.poFilter}
            placeholder={t.parcels.poFilter}
            title={t.parcels.poFilterHint}
            maxLength={64}
            value={values.prefix}
            onInput={(event) => change({ prefix: event.currentTarget.value })}
          />
          <button type="submit">{t.common.filter}</button>
          <select
            aria-label={t.parcels.statusFilter}
            value={values.status}
            onChange={(event) => goTo({ view: 'parcels', filter: { ...values, status: event.currentTarget.value } })}
          >
            <option value="">{`${t.parcels.statusFilter}: ${t.common.all}`}</option>
            {Object.entries(t.parcels.statuses).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          {CONDITIONS.map((condition) => {
            const on = values[condition] === 'true';
            return (
              <button
                key={condition}
                type="button"
                aria-pressed={on}
                class={on ? 'primary' : undefined}
                onClick={() => goTo({ view: 'parcels', filter: { ...values, [condition]: on ? '' : 'true' } })}
              >
                {t.parcels.conditions[condition]}
              </button>
            );
          })}
          {isFiltered(filter) && <a href={hrefOf(HOME)}>{t.common.clear}</a>}
        </div>
        <Further values={values} change={change} />
      </form>
    </search>
  );
}
