import { type ApiFailure, type FieldFault, faultsAt } from '@parcelway/page/api/failure';
import type { Action } from '@parcelway/page/data/use-load';
import { FailureNotice, LinkButton } from '@parcelway/page/parts/view';
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { faultText, placeOf } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.ts';

/**
 * The faults of a field until its value changes. The next submission brings new ones.
 * @returns those that are open, and what closes them; of boxes and lists at `change`, because `input` comes before their value is known
 */
export function useOpenFaults(faults: readonly FieldFault[]): readonly [open: readonly FieldFault[], close: () => void] {
  const [closed, setClosed] = useState<FieldFault>();
  return [faults[0] === closed ? [] : faults, () => setClosed(faults[0])];
}

/** Faults of a field. They appear at the field, so they do not repeat its name. */
export function Faults({ id, faults }: { readonly id: string; readonly faults: readonly FieldFault[] }) {
  const { t } = useWords();
  if (faults.length === 0) return null;
  return (
    <ul id={id} class="faults">
      {faults.map((fault) => (
        <li key={fault.field + fault.message}>{faultText(fault, t, placeOf(fault.field, t.faults))}</li>
      ))}
    </ul>
  );
}

interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly optional?: string | undefined;
  readonly faults?: readonly FieldFault[];
  readonly children: (ids: ControlIds) => ComponentChildren;
}

export function Field({ label, hint, optional, faults: found = [], children }: FieldProps) {
  const [faults, close] = useOpenFaults(found);
  const id = useId();
  const hintId = `${id}-hint`;
  const faultsId = `${id}-faults`;
  const describedBy = [...(faults.length > 0 ? [faultsId] : []), ...(hint === undefined ? [] : [hintId])].join(' ');
  const ids: ControlIds = {
    id,
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    ...(faults.length > 0 ? { 'aria-invalid': true } : {}),
  };
  return (
    // The `input` of a list comes before its `change`: drawn again in between, the list would show its former value.
    <div class="field" onInput={(event) => event.target instanceof HTMLSelectElement || close()} onChange={close}>
      <label for={id}>
        {label} {optional !== undefined && <span class="faint">({optional})</span>}
      </label>
      {children(ids)}
      <Faults id={faultsId} faults={faults} />
      {hint !== undefined && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

type InputProps = Pick<
  InputHTMLAttributes,
  'type' | 'required' | 'maxLength' | 'inputMode' | 'spellcheck' | 'autocomplete' | 'min' | 'max' | 'step'
>;

interface TextFieldProps extends Omit<FieldProps, 'children'>, InputProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
}

export function TextField({ label, hint, optional, faults = [], value, onValue, rows, ...input }: TextFieldProps) {
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void => onValue(currentTarget.value);
  return (
    <Field label={label} hint={hint} optional={optional} faults={faults}>
      {(ids) =>
        rows === undefined ? (
          <input {...ids} {...(input as object)} value={value} onInput={onInput} />
        ) : (
          <textarea {...ids} rows={rows} spellcheck={false} value={value} onInput={onInput} />
        )
      }
    </Field>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** Value → name. */
  readonly options: Readonly<Record<string, string>> | ReadonlyArray<readonly [value: Value, name: string]>;
  readonly onValue: (value: Value) => void;
  readonly required?: boolean;
  readonly children?: ComponentChildren;
}

export function Select<Value extends string>({
  label,
  value,
  options,
  onValue,
  children,
  ...ids
}: SelectProps<Value> & Partial<ControlIds>) {
  return (
    <select
      {...(ids.id === undefined ? { 'aria-label': label } : {})}
      {...ids}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value as Value)}
    >
      {children}
      {(Array.isArray(options) ? options : Object.entries(options)).map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function SelectField<Value extends string>({
  faults = [],
  hint,
  ...select
}: SelectProps<Value> & Pick<Partial<FieldProps>, 'faults' | 'hint'>) {
  return (
    <Field label={select.label} hint={hint} faults={faults}>
      {(ids) => <Select {...select} {...ids} />}
    </Field>
  );
}

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly title?: string;
  readonly list?: string;
}

export function SearchInput({ label, onValue, ...input }: SearchInputProps) {
  const given = { placeholder: label, maxLength: 64, spellcheck: false, ...input };
  return <input type="search" aria-label={label} {...given} onInput={(event) => onValue(event.currentTarget.value)} />;
}

interface ChecksProps<Value extends string> {
  readonly legend: string;
  /** Value → what it means. */
  readonly options: ReadonlyArray<readonly [value: Value, meaning: ComponentChildren]>;
  readonly chosen: readonly Value[];
  readonly faults: readonly FieldFault[];
  readonly onChange: (chosen: readonly Value[]) => void;
  readonly children?: ComponentChildren;
}

export function Checks<Value extends string>({ legend, options, chosen, faults: found, onChange, children }: ChecksProps<Value>) {
  const id = useId();
  const [faults, close] = useOpenFaults(found);
  return (
    <fieldset onChange={close}>
      <legend>{legend}</legend>
      {options.map(([value, meaning]) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            {...(faults.length > 0 ? { 'aria-invalid': true, 'aria-describedby': id } : {})}
            checked={chosen.includes(value)}
            onChange={({ currentTarget }) => onChange(withChoice(chosen, value, currentTarget.checked))}
          />
          <span>
            <code>{value}</code> {meaning}
          </span>
        </label>
      ))}
      <Faults id={id} faults={faults} />
      {children}
    </fieldset>
  );
}

/** Props of a form field: value, change handler and faults. */
export const bound =
  <Values extends object>(values: Values, change: (part: Partial<Values>) => void, failure: ApiFailure | undefined) =>
  <Name extends keyof Values & string>(name: Name) => ({
    value: values[name],
    onValue: (value: Values[Name]) => change({ [name]: value } as unknown as Partial<Values>),
    faults: faultsAt(failure, name),
  });

export const withChoice = <Value,>(chosen: readonly Value[], value: Value, on: boolean): readonly Value[] =>
  on ? [...chosen, value] : chosen.filter((each) => each !== value);

interface FormProps {
  readonly submit: string;
  readonly cancelHref: string;
  readonly action: Pick<Action, 'busy' | 'failure'>;
  /** True while the form cannot be submitted. */
  readonly isDisabled?: boolean;
  readonly noValidate?: boolean;
  readonly shownAtFields: readonly string[];
  readonly onSubmit: () => void;
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form that fills a view. After a failure it focuses the first field with a fault. */
export function Form(props: FormProps) {
  const { submit, cancelHref, action, isDisabled = false, noValidate = false, shownAtFields, onSubmit, footer, children } = props;
  const { busy, failure } = action;
  const { t } = useWords();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [failure]);
  return (
    <form
      ref={form}
      class="card form"
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <FailureNotice failure={failure} shownAtFields={shownAtFields} />
      {footer}
      <div class="form-actions">
        <button type="submit" class="primary" aria-disabled={busy || isDisabled}>
          {busy ? t.common.working : submit}
        </button>
        <LinkButton href={cancelHref} text={t.common.cancel} />
      </div>
    </form>
  );
}
