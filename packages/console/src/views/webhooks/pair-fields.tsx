import type { FieldFault } from '@parcelway/page/api/failure';
import { fill } from '@parcelway/page/languages';
import { Button } from '@parcelway/page/parts/view';
import { useId } from 'preact/hooks';
import { useWords } from '../../messages/language.ts';
import { Faults, useOpenFaults } from '../../parts/forms.tsx';
import type { Pair } from './endpoint-values.ts';

interface PairFieldsProps {
  readonly label: string;
  readonly hint: string;
  readonly add: string;
  readonly pairs: readonly Pair[];
  readonly faults: readonly FieldFault[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}

export function PairFields({ label, hint, add, pairs, faults: found, onChange: onPairs }: PairFieldsProps) {
  const { t } = useWords();
  const [faults, close] = useOpenFaults(found);
  const onChange = (changed: readonly Pair[]): void => {
    close();
    onPairs(changed);
  };
  const faultsId = useId();
  const invalid = faults.length > 0 ? ({ 'aria-invalid': true, 'aria-describedby': faultsId } as const) : {};
  const change = (index: number, part: Partial<Pair>): void =>
    onChange(pairs.map((pair, each) => (each === index ? { ...pair, ...part } : pair)));
  return (
    <fieldset>
      <legend>
        {label} <span class="faint">({t.common.optional})</span>
      </legend>
      <p class="hint">{hint}</p>
      <Faults id={faultsId} faults={faults} />
      {pairs.map((pair, index) => (
        <div key={index} class="pair-row">
          {(['name', 'value'] as const).map((part) => (
            <input
              {...invalid}
              key={part}
              aria-label={`${label} ${index + 1}: ${t.endpointForm[part]}`}
              placeholder={t.endpointForm[part]}
              value={pair[part]}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => change(index, { [part]: event.currentTarget.value })}
            />
          ))}
          <button
            type="button"
            aria-label={fill(t.common.remove, pair.name || `${label} ${index + 1}`)}
            onClick={() => onChange(pairs.filter((_, each) => each !== index))}
          >
            ×
          </button>
        </div>
      ))}
      <Button onClick={() => onChange([...pairs, { name: '', value: '' }])} text={add} />
    </fieldset>
  );
}

interface HeaderFieldsProps {
  /** Undefined while those of the endpoint are kept. */
  readonly headers: readonly Pair[] | undefined;
  readonly hidden: readonly string[];
  readonly faults: readonly FieldFault[];
  readonly onChange: (headers: readonly Pair[] | undefined) => void;
}

/** The custom headers. The page does not know their stored values, so it keeps or replaces all of them. */
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
        <Button onClick={() => onChange(hidden.map((name) => ({ name, value: '' })))} text={t.endpointForm.headersReplace} />
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
      {hidden.length > 0 && <Button onClick={() => onChange(undefined)} text={t.endpointForm.headersKeepButton} />}
    </>
  );
}
