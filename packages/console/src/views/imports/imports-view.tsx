import type { ForecastImport } from '@parcelway/contracts/import-api';
import { listImports } from '../../api/imports.ts';
import { usePages } from '../../data/use-pages.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useWords } from '../../messages/language.ts';
import { Empty } from '../../parts/empty.tsx';
import { ListBody } from '../../parts/list-body.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient } from '../../session/session.tsx';
import { ImportBadge } from './import-badge.tsx';
import { Templates } from './templates.tsx';

function ImportTable({ imports }: { readonly imports: readonly ForecastImport[] }) {
  const { t } = useWords();
  return (
    <Table
      caption={t.imports.title}
      items={imports}
      idOf={({ import_id }) => import_id}
      columns={[
        {
          head: t.imports.fileName,
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
        { head: t.imports.started, cell: ({ create_time }) => <Time at={create_time} /> },
      ]}
    />
  );
}

/** Former imports, newest first. */
export function ImportsView() {
  const { t } = useWords();
  const client = useClient();
  const pages = usePages(
    'imports',
    (cursor, signal) => listImports(client, cursor, signal),
    ({ import_id }) => import_id,
  );
  usePoll(pages.refresh, pages.items?.some(({ state }) => state === 'running') ?? false);
  const create = (
    <a class="button primary" href={hrefOf({ view: 'new-import' })}>
      {t.imports.create}
    </a>
  );
  const empty = (
    <Empty title={t.imports.empty} hint={t.imports.emptyHint}>
      {create}
    </Empty>
  );
  return (
    <>
      <PageHeading title={t.imports.title} actions={create} />
      <p class="lead">{t.imports.lead}</p>
      <Templates />
      <ListBody pages={pages} empty={empty}>
        {(imports) => <ImportTable imports={imports} />}
      </ListBody>
    </>
  );
}
