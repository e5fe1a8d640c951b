import { RequestKeys } from '@parcelway/page/api/request-keys';
import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_SPREADSHEET_BYTES, startImport } from '../../api/imports.ts';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FileField } from '../../parts/file-field.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useUnsaved } from '../../routing/unsaved.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient, useTenantId } from '../../session/session.tsx';
import { checkedFile, keepChecked } from './checked-file.ts';
import { missingIn } from './import-columns.ts';
import { mappingStorage } from './mapping-storage.ts';
import { MappingTable } from './mapping-table.tsx';
import { PreviewRows } from './preview-rows.tsx';
import { rememberMapping } from './remembered-mappings.ts';
import { Templates } from './templates.tsx';
import { type PreviewedFile, usePreview } from './use-preview.ts';

/** The preview with what leads to another one. */
function Preview({ of }: { readonly of: PreviewedFile }) {
  const { t } = useWords();
  const { preview, failure, duplicates, isStale } = of;
  return (
    <>
      <div class="preview">
        <h3>{t.imports.preview}</h3>
        {of.columns.length > 0 && !of.isAutomatic && (
          <button type="button" aria-disabled={of.loading} onClick={of.update}>
            {t.imports.update}
          </button>
        )}
      </div>
      <FailureNotice failure={failure} onRetry={of.retry} />
      {duplicates.length > 0 && (
        <p>
          <button type="button" onClick={() => of.ignore(duplicates)}>
            {t.imports.ignoreDuplicates(duplicates.join(', '))}
          </button>
        </p>
      )}
      <div role="status">{isStale && <p class="notice">{t.imports.outdated}</p>}</div>
      {preview === undefined ? (
        failure === undefined && <Skeleton rows={4} />
      ) : (
        <div class={isStale ? 'stale' : undefined}>
          <PreviewRows preview={preview} />
        </div>
      )}
    </>
  );
}

/** A spreadsheet that is looked at before it is imported. */
function Preparation({ file }: { readonly file: File }) {
  const { t } = useWords();
  const client = useClient();
  const tenantId = useTenantId();
  const action = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  const keys = useRef(new RequestKeys());
  const [validateOnly, setValidateOnly] = useState(false);
  const of = usePreview(file);
  const { preview, columns, mapping } = of;
  useEffect(() => heading.current?.focus(), []);
  const isChanged = columns.length > 0 && JSON.stringify(mapping) !== JSON.stringify(of.firstMapping);
  useUnsaved(isChanged);
  const ready = columns.length > 0 && missingIn(columns).length === 0;
  const start = async (): Promise<void> => {
    rememberMapping(mappingStorage(), tenantId, columns);
    const { import_id } = await keys.current.send(JSON.stringify([mapping, validateOnly]), (idempotencyKey) =>
      startImport(client, { file, mapping, validateOnly, idempotencyKey }),
    );
    if (validateOnly) keepChecked(tenantId, import_id, file);
    goTo({ view: 'import', importId: import_id, state: '' });
  };
  const isPart = preview !== undefined && preview.row_count > preview.rows.length;
  return (
    <section class="card" aria-labelledby="preparation">
      <h2 id="preparation" ref={heading} tabIndex={-1}>
        {t.imports.checkFile(file.name)}
      </h2>
      {of.isRemembered && (
        <div class="notice">
          <p>{t.imports.remembered}</p>
          <button type="button" onClick={of.forget}>
            {t.imports.forget}
          </button>
        </div>
      )}
      {columns.length > 0 && <MappingTable columns={columns} onChange={of.choose} />}
      <Preview of={of} />
      <div class={isPart ? 'notice check-all' : 'check-all'}>
        {isPart && <p id="checked-part">{t.imports.checkedPart(preview.rows.length, preview.row_count, preview.has_more_rows)}</p>}
        <label class="check">
          <input
            type="checkbox"
            checked={validateOnly}
            aria-describedby={isPart ? 'checked-part' : undefined}
            onChange={(event) => setValidateOnly(event.currentTarget.checked)}
          />
          {t.imports.validateOnly}
        </label>
      </div>
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

/** Imports a spreadsheet: choose it, see what it would become, start. @param props.checkId import that has checked the file before */
export function NewImportView({ checkId }: { readonly checkId: string | undefined }) {
  const { t } = useWords();
  const tenantId = useTenantId();
  const [checked] = useState(() => checkedFile(tenantId, checkId));
  const [chosen, setChosen] = useState<{ readonly file: File; readonly turn: number } | undefined>(checked && { file: checked, turn: 0 });
  return (
    <>
      <PageHeading title={t.imports.create} crumbs={[{ href: hrefOf({ view: 'imports' }), text: t.imports.title }]} />
      {checkId !== undefined && <p class="notice">{checked === undefined ? t.imports.chooseAgain : t.imports.checkedBefore}</p>}
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
