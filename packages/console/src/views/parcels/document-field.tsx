import type { UploadedFile } from '@parcelway/contracts/file-api';
import type { FieldFault } from '@parcelway/page/api/failure';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { MAX_FILE_BYTES, uploadPdf } from '../../api/files.ts';
import { useAction } from '../../data/use-action.ts';
import { bytesText } from '../../format/number.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useOpenFaults } from '../../parts/faults.tsx';
import { Field } from '../../parts/field.tsx';
import { FileField } from '../../parts/file-field.tsx';
import { useClient, usePermissions } from '../../session/session.tsx';

/** What the field needs. */
export interface DocumentFieldProps {
  readonly label: string;
  /** URL of the document. */
  readonly url: string;
  readonly optional?: string | undefined;
  readonly faults: readonly FieldFault[];
  readonly onChange: (url: string) => void;
}

/** What the platform has found in an uploaded PDF. */
function Receipt({ file }: { readonly file: UploadedFile }) {
  const { t, locale } = useWords();
  return (
    <div class="receipt">
      <p>
        <a href={file.url} target="_blank" rel="noreferrer">
          {file.origin_name}
        </a>{' '}
        <span class="faint">{bytesText(file.size_byte, locale)}</span>
      </p>
      {file.barcodes.map(({ text, page }) => (
        <p key={text} class="faint">
          {t.parcelForm.barcodeOn(page)} <code>{text}</code>
        </p>
      ))}
      {file.warnings.map(({ field, message }) => (
        <p key={field + message} class="notice">
          {t.faults.say(message)}
        </p>
      ))}
    </div>
  );
}

/** True for the address of an uploaded file, which says nothing to people. */
const isUpload = (url: string): boolean => url.startsWith(`${location.origin}/files/`);

/** A PDF of a parcel: uploaded here, or named by its URL. */
export function DocumentField({ label, url, optional, faults: found, onChange }: DocumentFieldProps) {
  const { t } = useWords();
  const client = useClient();
  const { can } = usePermissions();
  const announce = useAnnounce();
  const action = useAction();
  const [uploaded, setUploaded] = useState<UploadedFile>();
  const [faults, close] = useOpenFaults(found);
  const receipt = uploaded?.url === url ? uploaded : undefined;
  const upload = async (file: File): Promise<void> => {
    const receipt = await uploadPdf(client, file);
    setUploaded(receipt);
    close();
    onChange(receipt.url);
    announce(t.parcelForm.uploaded(receipt.origin_name));
  };
  return (
    <fieldset class="document">
      <legend>{label}</legend>
      {can('files:write') && (
        <FileField
          label={t.parcelForm.upload(label)}
          hint={action.busy ? t.common.working : t.parcelForm.pdfHint}
          accept=".pdf"
          maxBytes={MAX_FILE_BYTES}
          disabled={action.busy}
          onFile={(file) => action.run(() => upload(file))}
        />
      )}
      <FailureNotice failure={action.failure} />
      {receipt && <Receipt file={receipt} />}
      {faults.length === 0 && (receipt || isUpload(url)) ? (
        <p class="links">
          {receipt === undefined && (
            <a href={url} target="_blank" rel="noreferrer">
              {t.findings.openLinked.pdf}
            </a>
          )}
          <button type="button" onClick={() => onChange('')}>
            {t.common.remove(label)}
          </button>
        </p>
      ) : (
        <Field label={t.parcelForm.urlOf(label)} optional={optional} faults={faults}>
          {(ids) => <input {...ids} maxLength={2048} value={url} onInput={(event) => onChange(event.currentTarget.value)} />}
        </Field>
      )}
    </fieldset>
  );
}
