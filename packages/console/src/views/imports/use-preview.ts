import type { ForecastImportPreview, ImportPreviewColumn } from '@parcelway/contracts/import-api';
import type { ApiFailure } from '@parcelway/page/api/failure';
import { useEffect, useState } from 'preact/hooks';
import { type Mapping, previewImport } from '../../api/imports.ts';
import { useLoad } from '../../data/use-load.ts';
import { useClient, useTenantId } from '../../session/session.tsx';
import { duplicatesIn, ignoring, mappingOf } from './import-columns.ts';
import { mappingStorage } from './mapping-storage.ts';
import { forgetMapping, rememberedMapping } from './remembered-mappings.ts';

/** A file up to this many bytes is previewed again by itself when a column was given another field. */
const AUTOMATIC_BYTES = 1_048_576;
/** Milliseconds after the last change: somebody who changes one column often changes another one. */
const UPDATE_AFTER_MS = 500;

/** What a file would become, with the fields that are chosen for its columns. */
export interface PreviewedFile {
  /** The latest preview; undefined until the first one has come. */
  readonly preview: ForecastImportPreview | undefined;
  /** Why there is no preview of what is chosen. */
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** As they are chosen; empty until the first preview has come. */
  readonly columns: readonly ImportPreviewColumn[];
  readonly mapping: Mapping;
  /** True when the preview is one of other choices. */
  readonly isStale: boolean;
  /** True when the preview follows the choices by itself. */
  readonly isAutomatic: boolean;
  /** Titles of columns that fill the field of another one. */
  readonly duplicates: readonly string[];
  /** As the page proposed them: of a former file with these titles, or as the platform suggests. */
  readonly firstMapping: Mapping;
  /** True while the fields are those of a former file with these titles. */
  readonly isRemembered: boolean;
  /** Takes the fields that the platform suggests, and forgets the others. */
  readonly forget: () => void;
  readonly choose: (columns: readonly ImportPreviewColumn[]) => void;
  /** Asks for the preview of what is chosen. */
  readonly update: () => void;
  /** Ignores columns, and asks for the preview. */
  readonly ignore: (titles: readonly string[]) => void;
  /** Asks once more for what was asked last. */
  readonly retry: () => void;
}

/** Looks at a spreadsheet with the fields that are chosen for its columns. One request at a time: the platform takes no second one. */
export function usePreview(file: File): PreviewedFile {
  const client = useClient();
  const tenantId = useTenantId();
  const [asked, setAsked] = useState<Mapping>({});
  const [columns, choose] = useState<readonly ImportPreviewColumn[]>([]);
  const [suggested, setSuggested] = useState<readonly ImportPreviewColumn[]>([]);
  const [isRemembered, setRemembered] = useState(false);
  const [firstMapping, setFirstMapping] = useState<Mapping>({});
  const loaded = useLoad('preview', (signal) => previewImport(client, { file, mapping: asked }, signal));
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
    preview,
    failure: current,
    loading,
    columns,
    mapping,
    isStale,
    isAutomatic,
    duplicates: duplicatesIn(current),
    firstMapping,
    isRemembered,
    forget: () => {
      forgetMapping(mappingStorage(), tenantId, suggested);
      setRemembered(false);
      choose(suggested);
    },
    choose,
    update: () => ask(mapping),
    ignore: (titles) => {
      choose(columns.map((column) => (titles.includes(column.title) ? { ...column, field: null } : column)));
      ask({ ...asked, ...ignoring(titles) });
    },
    retry: reload,
  };
}
