import type { ForecastImport } from '@parcelway/contracts/import-api';
import type { Warehouse } from '@parcelway/contracts/warehouse-api';
import { fill } from '@parcelway/page/languages';
import { ListTable } from '@parcelway/page/parts/table';
import { Badge, Button, FailureNotice, LinkButton, PageHeading, type Tone } from '@parcelway/page/parts/view';
import { IMPORTS, ROWS_PER_PAGE } from '../../api/files.ts';
import { WAREHOUSES } from '../../api/parcels.ts';
import { useDownload, usePoll } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/lists.tsx';
import { Time } from '../../parts/values.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, useGet, useList, usePermissions } from '../../session/session.tsx';

/** Tone of an import: one that is done is good only when no row failed. */
function toneOf({ state, failed }: ForecastImport): Tone {
  if (state === 'running') return 'busy';
  if (state === 'done') return failed === 0 ? 'good' : 'warn';
  return state === 'failed' ? 'bad' : 'quiet';
}

export function ImportBadge({ record }: { readonly record: ForecastImport }) {
  const { t } = useWords();
  const { state, failed, validate_only } = record;
  const done = validate_only
    ? [t.imports.checked, t.imports.checkedWithErrors]
    : [t.imports.states['done'] ?? state, t.imports.doneWithFailures];
  const word = state === 'done' ? done[failed === 0 ? 0 : 1] : t.imports.states[state];
  return <Badge tone={toneOf(record)}>{word ?? state}</Badge>;
}

const MOST_WAREHOUSES = 20;

export function Templates() {
  const { t, locale } = useWords();
  const client = useClient();
  const { can } = usePermissions();
  const { warehouses = [] } = useGet<{ warehouses?: Warehouse[] }>(WAREHOUSES).data ?? {};
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' });
  const types = Object.entries(t.parcels.types).map(([code, name]) => `${code} = ${name}`);
  const { busy, failure, download } = useDownload();
  return (
    <div class="templates">
      <p>{t.imports.templates}</p>
      <div class="form-actions">
        {(['xlsx', 'csv'] as const).map((kind) => (
          <Button
            key={kind}
            aria-disabled={busy}
            onClick={() => download(() => client.download(`${IMPORTS}/template.${kind}`), `forecasts.${kind}`)}
            text={fill(t.imports.template, kind.toUpperCase())}
          />
        ))}
      </div>
      <p class="hint">
        {fill(t.imports.typeCodes, list.format(types))}{' '}
        {warehouses.length > 0 && fill(t.imports.warehouseCodes, list.format(warehouses.slice(0, MOST_WAREHOUSES).map(({ code }) => code)))}
      </p>
      {can('files:write') && (
        <p class="hint">
          {t.imports.uploadFirstHint} <a href={hrefOf({ view: 'files', used: '', range: '' })}>{t.imports.uploadFirst}</a>
        </p>
      )}
      <FailureNotice failure={failure} />
    </div>
  );
}

/** Former imports, newest first. */
export function ImportsView() {
  const { t } = useWords();
  const pages = useList<ForecastImport>(IMPORTS, 'imports', { limit: ROWS_PER_PAGE }, 'import_id');
  usePoll(pages.refresh, pages.items?.some(({ state }) => state === 'running') ?? false);
  const create = <LinkButton isPrimary href={hrefOf({ view: 'new-import' })} text={t.imports.create} />;
  const empty = (
    <Empty title={t.imports.empty} hint={t.imports.emptyHint}>
      {create}
    </Empty>
  );
  return (
    <>
      <PageHeading title={t.nav.imports} actions={create} />
      <p class="lead">{t.imports.lead}</p>
      <Templates />
      <ListTable
        pages={pages}
        empty={empty}
        caption={t.nav.imports}
        columns={[
          {
            head: t.files.name,
            cell: ({ import_id, file_name, validate_only }) => (
              <>
                <a class="row-link" href={hrefOf({ view: 'import', importId: import_id, state: '' })}>
                  {file_name}
                </a>
                {validate_only && <span class="under">{t.imports.checkedOnly}</span>}
              </>
            ),
          },
          { head: t.common.status, cell: (each) => <ImportBadge record={each} /> },
          { head: t.imports.accepted, kind: 'wide', cell: ({ accepted, validate_only }) => (validate_only ? '–' : accepted) },
          { head: t.imports.failed, kind: 'wide', cell: ({ failed }) => failed },
          { head: t.common.started, cell: ({ create_time }) => <Time at={create_time} /> },
        ]}
      />
    </>
  );
}
