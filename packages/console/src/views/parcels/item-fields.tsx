import type { UploadedFile } from '@parcelway/contracts/file-api';
import { type ApiFailure, type FieldFault, faultsAt } from '@parcelway/page/api/failure';
import { useAction } from '@parcelway/page/data/use-load';
import { fill } from '@parcelway/page/languages';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button, FailureNotice, TabLink } from '@parcelway/page/parts/view';
import { useRef, useState } from 'preact/hooks';
import { MAX_FILE_BYTES, uploadPdf } from '../../api/files.ts';
import { bytesText } from '../../format.ts';
import { inWords } from '../../messages/failure-text.ts';
import { useWords } from '../../messages/language.ts';
import { FileField } from '../../parts/file-fields.tsx';
import { Faults, TextField, useOpenFaults } from '../../parts/forms.tsx';
import { useClient, usePermissions } from '../../session/session.tsx';
import {
  EMPTY_ITEM,
  type ItemField,
  type ItemValues,
  isNumber,
  itemFields,
  lastFaultyItem,
  requiredItemFields,
} from './forecast-values.ts';

interface DocumentFieldProps {
  readonly label: string;
  readonly url: string;
  readonly optional?: string | undefined;
  readonly faults: readonly FieldFault[];
  readonly onChange: (url: string) => void;
}

function Receipt({ file }: { readonly file: UploadedFile }) {
  const { t, locale } = useWords();
  return (
    <div class="receipt">
      <p>
        <TabLink href={file.url} text={file.origin_name} /> <span class="faint">{bytesText(file.size_byte, locale)}</span>
      </p>
      {file.barcodes.map(({ text, page }) => (
        <p key={text} class="faint">
          {fill(t.parcelForm.barcodeOn, page)} <code>{text}</code>
        </p>
      ))}
      {file.warnings.map(({ field, message }) => (
        <p key={field + message} class="notice">
          {inWords(message, t)}
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
    announce(fill(t.parcelForm.uploaded, receipt.origin_name));
  };
  return (
    <fieldset class="document">
      <legend>{label}</legend>
      {can('files:write') && (
        <FileField
          label={fill(t.parcelForm.upload, label)}
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
          {receipt === undefined && <TabLink href={url} text={t.findings.openLinked.pdf} />}
          <Button onClick={() => onChange('')} text={fill(t.common.remove, label)} />
        </p>
      ) : (
        <TextField
          label={fill(t.parcelForm.urlOf, label)}
          optional={optional}
          faults={faults}
          maxLength={2048}
          value={url}
          onValue={onChange}
        />
      )}
    </fieldset>
  );
}

interface ItemFieldsProps {
  readonly items: readonly ItemValues[];
  readonly failure: ApiFailure | undefined;
  readonly onChange: (items: readonly ItemValues[]) => void;
}

const STEP = 10;

interface OneItemProps {
  readonly item: ItemValues;
  readonly index: number;
  readonly failure: ApiFailure | undefined;
  readonly change: (part: Partial<ItemValues>) => void;
  /** Undefined for the only item. */
  readonly remove: (() => void) | undefined;
}

function OneItem({ item, index, failure, change, remove }: OneItemProps) {
  const { t } = useWords();
  const further = itemFields.filter((field) => !requiredItemFields.includes(field));
  const faultsOf = (field: ItemField) => faultsAt(failure, `items[${index}].${field}`);
  const control = (field: ItemField) => (
    <TextField
      key={field}
      label={t.fields[field]}
      optional={requiredItemFields.includes(field) ? undefined : t.common.optional}
      faults={faultsOf(field)}
      inputMode={isNumber(field) ? 'decimal' : 'text'}
      value={item[field]}
      onValue={(value) => change({ [field]: value })}
    />
  );
  const open = further.some((field) => item[field] !== '' || faultsOf(field).length > 0);
  return (
    <fieldset class="item">
      <legend>{fill(t.parcelForm.item, index + 1)}</legend>
      <div class="pair">{requiredItemFields.map(control)}</div>
      <details open={open}>
        <summary>{t.parcelForm.further}</summary>
        <div class="pair">{further.map(control)}</div>
      </details>
      {remove && <Button onClick={remove} text={fill(t.common.remove, fill(t.parcelForm.item, index + 1))} />}
    </fieldset>
  );
}

/** The items of a parcel: a list that can grow and shrink. */
export function ItemFields({ items, failure: found, onChange }: ItemFieldsProps) {
  const { t } = useWords();
  const [count, setCount] = useState(STEP);
  // Once an item is removed, the faults name others than they were found in.
  const [outdated, setOutdated] = useState<ApiFailure>();
  const failure = found === outdated ? undefined : found;
  const faults = failure?.faults ?? [];
  const shown = Math.max(count, lastFaultyItem(faults.map(({ field }) => field)) + 1);
  const change = (index: number, part: Partial<ItemValues>): void =>
    onChange(items.map((item, each) => (each === index ? { ...item, ...part } : item)));
  const adder = useRef<HTMLButtonElement>(null);
  const remove = (index: number): void => {
    onChange(items.filter((_, each) => each !== index));
    setOutdated(found);
    // The button that had the focus is gone.
    adder.current?.focus();
  };
  return (
    <>
      <h2>
        {t.parcel.goods} <span class="count">{items.length}</span>
      </h2>
      <Faults id="items-faults" faults={faults.filter(({ field }) => field === 'items' || /^items\[\d+\]$/.test(field))} />
      {items.slice(0, shown).map((item, index) => (
        <OneItem
          key={index}
          item={item}
          index={index}
          failure={failure}
          change={(part) => change(index, part)}
          remove={items.length > 1 ? () => remove(index) : undefined}
        />
      ))}
      <div class="form-actions">
        {items.length > shown && <Button onClick={() => setCount(shown + STEP)} text={t.common.more} />}
        <Button
          ref={adder}
          onClick={() => {
            setCount(Math.max(shown, items.length + 1));
            onChange([...items, EMPTY_ITEM]);
          }}
          text={t.parcelForm.addItem}
        />
      </div>
    </>
  );
}
