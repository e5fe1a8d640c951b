import { fieldLabel } from '../../messages/fault-text.ts';
import { useWords } from '../../messages/language.ts';
import { linkedKind } from './findings.ts';

/** What the value needs. */
export interface ChangedValueProps {
  /** JSON path, such as `items[0].product_image`. */
  readonly field: string;
  /** Null for none. */
  readonly value: string | null;
}

/** A value before or after, as the merchant knows it. */
export function ChangedValue({ field, value }: ChangedValueProps) {
  const { t } = useWords();
  if (value === null) return <span class="faint">{t.findings.nothing}</span>;
  const kind = linkedKind(field, value);
  if (kind === undefined) return value;
  return (
    <a href={value} target="_blank" rel="noreferrer">
      {t.findings.openLinked[kind]}
    </a>
  );
}

/** What the words need. */
export interface ChangeProps {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** A field with its value before and after. */
export function Change({ field, from, to }: ChangeProps) {
  const { t } = useWords();
  return (
    <>
      {t.findings.changed(fieldLabel(field, t))} <span class="visually-hidden">{t.findings.from} </span>
      <ChangedValue field={field} value={from} /> <span aria-hidden="true">→</span> <span class="visually-hidden">{t.findings.to} </span>
      <ChangedValue field={field} value={to} />
    </>
  );
}
