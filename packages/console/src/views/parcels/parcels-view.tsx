import type { ForecastCounts } from '@parcelway/contracts/forecast-counts-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { usePages } from '@parcelway/page/data/use-pages';
import { nameIn } from '@parcelway/page/languages';
import { ListTable } from '@parcelway/page/parts/table';
import { Badge, Button, Card, FailureNotice, LinkButton, PageHeading } from '@parcelway/page/parts/view';
import { useLayoutEffect, useState } from 'preact/hooks';
import { type ForecastFilter, isFiltered, NO_FILTER } from '../../api/forecast-filter.ts';
import { exportForecasts, findForecasts } from '../../api/parcels.ts';
import { useDownload } from '../../data/hooks.ts';
import { numberText } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { ShareBar } from '../../parts/charts.tsx';
import { SearchInput, Select, TextField } from '../../parts/forms.tsx';
import { Empty } from '../../parts/lists.tsx';
import { forecastTone, Time } from '../../parts/values.tsx';
import { HOME, hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient, useGet, usePermissions } from '../../session/session.tsx';

/** Fields of the filter that are texts, with the longest text that the API takes. */
const TEXTS = [
  ['forecastNo', 64],
  ['trackingNumber', 64],
  ['skuCode', 100],
  ['warehouseCode', 64],
] as const satisfies readonly (readonly [keyof ForecastFilter, number])[];

const CONDITIONS = ['hasException', 'onHold'] as const satisfies readonly (keyof ForecastFilter)[];
const DAYS = ['createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'] as const satisfies readonly (keyof ForecastFilter)[];

function Further({ values, change }: { readonly values: ForecastFilter; readonly change: (part: Partial<ForecastFilter>) => void }) {
  const { t } = useWords();
  const field = (name: keyof ForecastFilter) => ({ value: values[name], onValue: (value: string) => change({ [name]: value }) });
  return (
    <details class="further" open={isFiltered(values, ['status', 'prefix', ...CONDITIONS])}>
      <summary>{t.parcels.furtherFilters}</summary>
      <div class="pair">
        {TEXTS.map(([name, maxLength]) => (
          <TextField key={name} label={t.parcels.filters[name]} maxLength={maxLength} {...field(name)} />
        ))}
        {DAYS.map((name) => (
          <TextField key={name} label={t.parcels.filters[name]} type="date" {...field(name)} />
        ))}
      </div>
      <button type="submit">{t.parcels.applyFilters}</button>
    </details>
  );
}

/** What the list is narrowed to. The filter is in the address, so this keeps only what is being typed. */
function ParcelFilters({ filter }: { readonly filter: ForecastFilter }) {
  const { t } = useWords();
  const [values, setValues] = useState(filter);
  // The address has changed: by this form, a link or the browser's back button.
  useLayoutEffect(() => setValues(filter), [JSON.stringify(filter)]);
  const change = (part: Partial<ForecastFilter>): void => setValues((before) => ({ ...before, ...part }));
  const search = (event: Event): void => {
    event.preventDefault();
    goTo({ view: 'parcels', filter: values });
  };
  return (
    <search>
      <form class="parcel-filters" onSubmit={search}>
        <div class="filters">
          <SearchInput
            label={t.parcels.poFilter}
            title={t.parcels.poFilterHint}
            value={values.prefix}
            onValue={(prefix) => change({ prefix })}
          />
          <button type="submit">{t.common.filter}</button>
          <Select
            label={t.common.status}
            value={values.status}
            options={t.statuses}
            onValue={(status) => goTo({ view: 'parcels', filter: { ...values, status } })}
          >
            <option value="">{`${t.common.status}: ${t.common.all}`}</option>
          </Select>
          {CONDITIONS.map((condition) => {
            const on = values[condition] === 'true';
            return (
              <Button
                key={condition}
                aria-pressed={on}
                class={on ? 'primary' : undefined}
                onClick={() => goTo({ view: 'parcels', filter: { ...values, [condition]: on ? '' : 'true' } })}
                text={t.parcels.conditions[condition]}
              />
            );
          })}
          {isFiltered(filter) && <a href={hrefOf(HOME)}>{t.common.clear}</a>}
        </div>
        <Further values={values} change={change} />
      </form>
    </search>
  );
}

/** Empty without parcels or when counting fails; the list below shows the failure. */
function StatusCounts({ turn }: { readonly turn: number }) {
  const { t, locale } = useWords();
  const { data } = useGet<ForecastCounts>('/open/v1/forecast-counts', {}, turn);
  const parts = (data?.statuses ?? [])
    .filter(({ count }) => count > 0)
    .map(({ status_name, count, has_more }) => {
      const status = forecastStatuses[status_name];
      return { id: status, tone: forecastTone(status), count, text: `${numberText(count, locale)}${has_more ? '+' : ''}` };
    });
  if (parts.length === 0) return null;
  return (
    <Card title={t.parcels.byStatus}>
      <ShareBar parts={parts} />
      <ul class="share-legend" aria-label={t.parcels.byStatus}>
        {parts.map(({ id, tone, text }) => (
          <li key={id}>
            <a href={hrefOf({ view: 'parcels', filter: { ...NO_FILTER, status: String(id) } })}>
              <Badge tone={tone}>{t.statuses[id] ?? String(id)}</Badge> {text}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Characters of a number that stays on one line on a telephone. */
const LONGEST_UNBROKEN = 16;

/** The merchant's forecasts, newest first. */
export function ParcelsView({ filter }: { readonly filter: ForecastFilter }) {
  const { t } = useWords();
  const client = useClient();
  const { can } = usePermissions();
  const { busy, failure, download } = useDownload();
  const pages = usePages(JSON.stringify(filter), (at) => findForecasts(client, filter, at), 'forecast_no');
  const [turn, setTurn] = useState(0);
  const refresh = (): void => {
    pages.refresh();
    setTurn((count) => count + 1);
  };
  const submits = can('forecasts:write');
  const empty = isFiltered(filter) ? (
    <Empty title={t.parcels.noMatch} hint={t.parcels.noMatchHint} />
  ) : (
    <Empty title={t.parcels.empty} hint={t.parcels.emptyHint}>
      {submits && <LinkButton href={hrefOf({ view: 'new-import' })} text={t.imports.create} />}
    </Empty>
  );
  return (
    <>
      <PageHeading
        title={t.nav.parcels}
        actions={
          <>
            <Button onClick={refresh} aria-disabled={pages.loading} text={t.common.refresh} />
            <Button
              aria-disabled={busy}
              onClick={() => download(() => exportForecasts(client, filter), 'forecasts.csv')}
              text={busy ? t.common.working : t.parcels.export}
            />
            {submits && <LinkButton isPrimary href={hrefOf({ view: 'new-parcel' })} text={t.parcelForm.submitTitle} />}
          </>
        }
      />
      <StatusCounts turn={turn} />
      <ParcelFilters filter={filter} />
      <FailureNotice failure={failure} />
      <ListTable
        pages={pages}
        empty={empty}
        caption={t.nav.parcels}
        columns={[
          {
            head: t.fields.po_number,
            cell: (each) => (
              <a
                class={each.po_number.length <= LONGEST_UNBROKEN ? 'row-link unbroken' : 'row-link'}
                href={hrefOf({ view: 'parcel', poNumber: each.po_number })}
              >
                {each.po_number}
              </a>
            ),
          },
          {
            head: t.common.status,
            cell: (each) => (
              <span class="links">
                <Badge tone={forecastTone(each.status)}>{nameIn(t.statuses, each.status, each.status_name)}</Badge>
                {each.has_exception && <Badge tone="bad">{t.parcels.conditions.hasException}</Badge>}
                {each.on_hold && <Badge tone="warn">{t.parcels.conditions.onHold}</Badge>}
              </span>
            ),
          },
          { head: t.fields.forecast_type, kind: 'wide', cell: (each) => nameIn(t.parcels.types, each.forecast_type) },
          { head: t.fields.warehouse_code, kind: 'wide', cell: (each) => each.warehouse_code },
          { head: t.parcels.items, kind: 'wide', cell: (each) => each.item_count },
          { head: t.fields.due_date, kind: 'wide', cell: (each) => each.due_date ?? '–' },
          { head: t.parcels.updated, cell: (each) => <Time at={each.update_time} /> },
        ]}
      />
    </>
  );
}
