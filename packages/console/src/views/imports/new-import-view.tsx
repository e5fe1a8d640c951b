import type { ForecastImport, ForecastImportPreview, ImportPreviewColumn } from '@parcelway/contracts/import-api';
import { MAX_IMPORT_BYTES } from '@parcelway/contracts/import-limits';
import { RequestKeys } from '@parcelway/page/api/client';
import { useAction } from '@parcelway/page/data/use-load';
import { fill } from '@parcelway/page/languages';
import { Button, FailureNotice, LinkButton, PageHeading, Skeleton } from '@parcelway/page/parts/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IMPORTS, type Mapping, sendSpreadsheet } from '../../api/files.ts';
import { useWords } from '../../messages/language.ts';
import { FileField } from '../../parts/file-fields.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo, useUnsaved } from '../../routing/use-route.ts';
import { useClient, useRead, useTenantId } from '../../session/session.tsx';
import { memoryOf } from '../../session/tenant-memory.ts';
import { duplicatesIn, ignoring, mappingOf, missingIn } from './import-columns.ts';
import { Templates } from './imports-view.tsx';
import { forgetMapping, mappingStorage, rememberedMapping, rememberMapping } from './kept.ts';
import { MappingTable, PreviewRows } from './preview.tsx';

/** A file up to this many bytes is previewed again by itself when a column was given another field. */
const AUTOMATIC_BYTES = 1_048_576;
/** Milliseconds after the last change: users often change several columns in a row. */
const UPDATE_AFTER_MS = 500;

type PreviewedFile = ReturnType<typeof usePreview>;

/** Looks at a spreadsheet with the fields that are chosen for its columns. One request at a time: the platform takes no second one. */
function usePreview(file: File) {
  const tenantId = useTenantId();
  const [asked, setAsked] = useState<Mapping>({});
  const [columns, choose] = useState<readonly ImportPreviewColumn[]>([]);
  const [suggested, setSuggested] = useState<readonly ImportPreviewColumn[]>([]);
  const [isRemembered, setRemembered] = useState(false);
  const [firstMapping, setFirstMapping] = useState<Mapping>({});
  const loaded = useRead('preview', (client, signal) =>
    sendSpreadsheet<ForecastImportPreview>(client, `${IMPORTS}/preview`, file, asked, { signal }),
  );
  const { data: preview, failure, loading, reload } = loaded;
  useEffect(() => {
    // Later previews have the columns as they were chosen here, and what was chosen since must not be lost.
    if (preview === undefined || columns.length > 0) return;
    setSuggested(preview.columns);
    const former = rememberedMapping(mappingStorage(), tenantId, preview.columns);
    if (former === undefined || JSON.stringify(former) === JSON.stringify(mappingOf(preview.columns))) {
      setFirstMapping(mappingOf(preview.columns));
      choose(preview.columns);
      return;
    }
    setRemembered(true);
    const remembered = preview.columns.map((column) => ({ ...column, field: former[column.title] ?? null }));
    setFirstMapping(mappingOf(remembered));
    choose(remembered);
    ask(former);
  }, [preview]);

  const mapping = mappingOf(columns);
  const chosen = JSON.stringify(mapping);
  const isStale = preview !== undefined && columns.length > 0 && chosen !== JSON.stringify(mappingOf(preview.columns));
  const isAutomatic = file.size <= AUTOMATIC_BYTES;
  const ask = (what: Mapping): void => {
    if (loading) return;
    setAsked(what);
    reload();
  };
  const isDue = isAutomatic && isStale && !loading && chosen !== JSON.stringify(asked);
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => ask(mapping), UPDATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDue, chosen]);

  const current = isStale || preview === undefined ? failure : undefined;
  return {
    /** The latest preview; undefined until the first one has come. */
    preview,
    /** Why there is no preview of what is chosen. */
    failure: current,
    loading,
    /** As they are chosen; empty until the first preview has come. */
    columns,
    mapping,
    isStale,
    isAutomatic,
    duplicates: duplicatesIn(current),
    /** As the page proposed them: of a former file with these titles, or as the platform suggests. */
    firstMapping,
    isRemembered,
    forget: () => {
      forgetMapping(mappingStorage(), tenantId, suggested);
      setRemembered(false);
      choose(suggested);
    },
    choose,
    update: () => ask(mapping),
    ignore: (titles: readonly string[]) => {
      choose(columns.map((column) => (titles.includes(column.title) ? { ...column, field: null } : column)));
      ask({ ...asked, ...ignoring(titles) });
    },
    retry: reload,
  };
}

function Preview({ of }: { readonly of: PreviewedFile }) {
  const { t } = useWords();
  const { preview, failure, duplicates, isStale } = of;
  return (
    <>
      <div class="preview">
        <h3>{t.imports.preview}</h3>
        {of.columns.length > 0 && !of.isAutomatic && <Button aria-disabled={of.loading} onClick={of.update} text={t.imports.update} />}
      </div>
      <FailureNotice failure={failure} onRetry={of.retry} />
      {duplicates.length > 0 && (
        <p>
          <Button onClick={() => of.ignore(duplicates)} text={fill(t.imports.ignoreDuplicates, duplicates.join(', '))} />
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
      sendSpreadsheet<ForecastImport>(client, IMPORTS, file, mapping, { validateOnly, idempotencyKey }),
    );
    if (validateOnly) memoryOf(tenantId).checked = { importId: import_id, file };
    goTo({ view: 'import', importId: import_id, state: '' });
  };
  const isPart = preview !== undefined && preview.row_count > preview.rows.length;
  return (
    <section class="card" aria-labelledby="preparation">
      <h2 id="preparation" ref={heading} tabIndex={-1}>
        {fill(t.imports.checkFile, file.name)}
      </h2>
      {of.isRemembered && (
        <div class="notice">
          <p>{t.imports.remembered}</p>
          <Button onClick={of.forget} text={t.imports.forget} />
        </div>
      )}
      {columns.length > 0 && <MappingTable columns={columns} onChange={of.choose} />}
      <Preview of={of} />
      <div class={isPart ? 'notice check-all' : 'check-all'}>
        {isPart && (
          <p id="checked-part">
            {fill(preview.has_more_rows ? t.imports.checkedPartOfMore : t.imports.checkedPart, preview.rows.length, preview.row_count)}
          </p>
        )}
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
        <Button
          class="primary"
          aria-disabled={action.busy || !ready}
          onClick={() => ready && action.run(start)}
          text={action.busy ? t.common.working : validateOnly ? t.imports.startCheck : t.imports.start}
        />
        <LinkButton href={hrefOf({ view: 'imports' })} text={t.common.cancel} />
      </div>
    </section>
  );
}

/** Imports a spreadsheet: choose, preview, start. @param props.checkId earlier import that checked the file; empty for none */
export function NewImportView({ checkId = '' }: { readonly checkId?: string | undefined }) {
  const { t } = useWords();
  const tenantId = useTenantId();
  const [checked] = useState(() => {
    const { checked: kept } = memoryOf(tenantId);
    return kept?.importId === checkId ? kept.file : undefined;
  });
  const [chosen, setChosen] = useState<{ readonly file: File; readonly turn: number } | undefined>(checked && { file: checked, turn: 0 });
  return (
    <>
      <PageHeading title={t.imports.create} crumbs={[{ href: hrefOf({ view: 'imports' }), text: t.nav.imports }]} />
      {checkId !== '' && <p class="notice">{checked === undefined ? t.imports.chooseAgain : t.imports.checkedBefore}</p>}
      <section class="card">
        <FileField
          label={t.imports.file}
          hint={t.imports.fileHint}
          accept=".csv,.xlsx"
          maxBytes={MAX_IMPORT_BYTES}
          onFile={(file) => setChosen({ file, turn: (chosen?.turn ?? 0) + 1 })}
        />
        <Templates />
      </section>
      {chosen && <Preparation key={chosen.turn} file={chosen.file} />}
    </>
  );
}
