import { downloadTemplate } from '../../api/imports.ts';
import { listWarehouses } from '../../api/parcels.ts';
import { useDownload } from '../../data/use-download.ts';
import { useLoad } from '../../data/use-load.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, usePermissions } from '../../session/session.tsx';

/** Warehouses that are named; an account with more finds them in the form of a parcel. */
const MOST_WAREHOUSES = 20;

/** What may be filled in where a template has codes. */
function Codes() {
  const { t, locale } = useWords();
  const client = useClient();
  const { data: warehouses = [] } = useLoad('warehouses', (signal) => listWarehouses(client, signal));
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' });
  const types = Object.entries(t.parcels.types).map(([code, name]) => `${code} = ${name}`);
  return (
    <p class="hint">
      {t.imports.typeCodes(list.format(types))}{' '}
      {warehouses.length > 0 && t.imports.warehouseCodes(list.format(warehouses.slice(0, MOST_WAREHOUSES).map(({ code }) => code)))}
    </p>
  );
}

/** The templates, to be filled in. */
export function Templates() {
  const { t } = useWords();
  const client = useClient();
  const { can } = usePermissions();
  const { busy, failure, download } = useDownload();
  return (
    <div class="templates">
      <p>{t.imports.templates}</p>
      <div class="form-actions">
        {(['xlsx', 'csv'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            aria-disabled={busy}
            onClick={() => download(() => downloadTemplate(client, kind), `forecasts.${kind}`)}
          >
            {t.imports.template(kind.toUpperCase())}
          </button>
        ))}
      </div>
      <Codes />
      {can('files:write') && (
        <p class="hint">
          {t.imports.uploadFirstHint} <a href={hrefOf({ view: 'files', used: '', range: '' })}>{t.imports.uploadFirst}</a>
        </p>
      )}
      <FailureNotice failure={failure} />
    </div>
  );
}
