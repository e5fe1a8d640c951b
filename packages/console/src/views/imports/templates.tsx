import { downloadTemplate } from '../../api/imports.ts';
import { useDownload } from '../../data/use-download.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useClient } from '../../session/session.tsx';

/** The templates, to be filled in. */
export function Templates() {
  const { t } = useWords();
  const client = useClient();
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
      <FailureNotice failure={failure} />
    </div>
  );
}
