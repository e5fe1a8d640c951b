import type { ImportColumn } from '@parcelway/contracts/import-api';
import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_SPREADSHEET_BYTES, type Mapping, previewImport, startImport } from '../../api/imports.ts';
import { RequestKeys } from '../../data/request-keys.ts';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FileField } from '../../parts/file-field.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { duplicatesIn, ignoring, mappingOf, missingIn } from './import-columns.ts';
import { MappingTable } from './mapping-table.tsx';
import { PreviewRows } from './preview-rows.tsx';
import { Templates } from './templates.tsx';

/** A spreadsheet that is looked at before it is imported. */
function Preparation({ file }: { readonly file: File }) {
  const { t } = useWords();
  const client = useClient();
  const action = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  const keys = useRef(new RequestKeys());
  // What the preview was asked for, and what is chosen in the table.
  const [asked, setAsked] = useState<Mapping>({});
  const [columns, setColumns] = useState<readonly ImportColumn[]>([]);
  const [validateOnly, setValidateOnly] = useState(false);
  const {
    data: preview,
    failure,
    loading,
    reload,
  } = useLoad(JSON.stringify(asked), (signal) => previewImport(client, { file, mapping: asked }, signal));
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (preview !== undefined) setColumns(preview.columns);
  }, [preview]);

  const duplicates = duplicatesIn(failure);
  const mapping = mappingOf(columns);
  const ready = columns.length > 0 && missingIn(columns).length === 0;
  const start = async (): Promise<void> => {
    const { import_id } = await keys.current.send(JSON.stringify([mapping, validateOnly]), (idempotencyKey) =>
      startImport(client, { file, mapping, validateOnly, idempotencyKey }),
    );
    goTo({ view: 'import', importId: import_id, state: '' });
  };
  return (
    <section class="card" aria-labelledby="preparation">
      <h2 id="preparation" ref={heading} tabIndex={-1}>
        {t.imports.checkFile(file.name)}
      </h2>
      {columns.length > 0 && <MappingTable columns={columns} sample={preview?.rows[0]} onChange={setColumns} />}
      <div class="preview">
        <h3>{t.imports.preview}</h3>
        {columns.length > 0 && (
          <button type="button" aria-disabled={loading} onClick={() => setAsked(mapping)}>
            {t.imports.update}
          </button>
        )}
      </div>
      <FailureNotice failure={failure} onRetry={reload} />
      {duplicates.length > 0 && (
        <p>
          <button type="button" onClick={() => setAsked({ ...asked, ...ignoring(duplicates) })}>
            {t.imports.ignoreDuplicates(duplicates.join(', '))}
          </button>
        </p>
      )}
      {preview === undefined ? failure === undefined && <Skeleton rows={4} /> : <PreviewRows preview={preview} />}
      <label class="check">
        <input type="checkbox" checked={validateOnly} onChange={(event) => setValidateOnly(event.currentTarget.checked)} />
        {t.imports.validateOnly}
      </label>
      <FailureNotice failure={action.failure} />
      <div class="form-actions">
        <button type="button" class="primary" aria-disabled={action.busy || !ready} onClick={() => ready && action.run(start)}>
          {action.busy ? t.common.working : validateOnly ? t.imports.startCheck : t.imports.start}
        </button>
        <a class="button" href={hrefOf({ view: 'imports' })}>
          {t.common.cancel}
        </a>
      </div>
    </section>
  );
}

/** Imports a spreadsheet: choose it, see what it would become, start. */
export function NewImportView() {
  const { t } = useWords();
  const [chosen, setChosen] = useState<{ readonly file: File; readonly turn: number }>();
  return (
    <>
      <PageHeading title={t.imports.create} crumbs={[{ href: hrefOf({ view: 'imports' }), text: t.imports.title }]} />
      <section class="card">
        <FileField
          label={t.imports.file}
          hint={t.imports.fileHint}
          accept=".csv,.xlsx"
          maxBytes={MAX_SPREADSHEET_BYTES}
          onFile={(file) => setChosen({ file, turn: (chosen?.turn ?? 0) + 1 })}
        />
        <Templates />
      </section>
      {chosen && <Preparation key={chosen.turn} file={chosen.file} />}
    </>
  );
}
