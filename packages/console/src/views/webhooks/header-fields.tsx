import type { FieldFault } from '@parcelway/page/api/failure';
import { useWords } from '../../messages/language.ts';
import type { Pair } from './endpoint-values.ts';
import { PairFields } from './pair-fields.tsx';

/** What the fields need. */
export interface HeaderFieldsProps {
  /** Undefined while those of the endpoint are kept. */
  readonly headers: readonly Pair[] | undefined;
  /** Names of the headers that the endpoint has. */
  readonly hidden: readonly string[];
  readonly faults: readonly FieldFault[];
  readonly onChange: (headers: readonly Pair[] | undefined) => void;
}

/** The custom headers. Values that the endpoint has are known to nobody here, so they are kept or replaced all together. */
export function HeaderFields({ headers, hidden, faults, onChange }: HeaderFieldsProps) {
  const { t } = useWords();
  if (headers === undefined) {
    return (
      <fieldset>
        <legend>{t.endpoint.headers}</legend>
        <p class="hint">{t.endpointForm.headersKeep}</p>
        <ul class="plain">
          {hidden.map((name) => (
            <li key={name}>
              <code>{name}: ***</code>
            </li>
          ))}
        </ul>
        <button type="button" onClick={() => onChange(hidden.map((name) => ({ name, value: '' })))}>
          {t.endpointForm.headersReplace}
        </button>
      </fieldset>
    );
  }
  return (
    <>
      <PairFields
        label={t.endpoint.headers}
        hint={t.endpointForm.headersHint}
        add={t.endpointForm.addHeader}
        pairs={headers}
        faults={faults}
        onChange={onChange}
      />
      {hidden.length > 0 && (
        <button type="button" onClick={() => onChange(undefined)}>
          {t.endpointForm.headersKeepButton}
        </button>
      )}
    </>
  );
}
