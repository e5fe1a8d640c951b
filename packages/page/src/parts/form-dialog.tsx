import type { ComponentChildren, InputHTMLAttributes, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api/failure.ts';
import { useAction } from '../data/use-load.ts';
import { useAnnounce } from './announce.tsx';
import { Dialog } from './dialog.tsx';
import { useSpoken } from './language.tsx';
import { Button, FailureNotice, type Secret, SecretDialog } from './view.tsx';

/** The fields of a form with what is typed, trimmed. */
type Values = Readonly<Record<string, string>>;

interface FormDialogProps {
  readonly title: string;
  readonly text?: string;
  readonly submit: string;
  /** Label of the button that closes the dialog; default: cancel. Set it where "cancel" could mean either button. */
  readonly keep?: string;
  /** True for an action that cannot be undone. */
  readonly danger?: boolean;
  readonly noValidate?: boolean;
  /** True when only the button submits, not Enter in a field. */
  readonly isQuestion?: boolean;
  /** Fields of the API that show their own faults; the notice leaves these out. */
  readonly shownAtFields?: readonly string[];
  readonly onSubmit: (values: Values) => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren | ((failure: ApiFailure | undefined) => ComponentChildren);
}

/** A dialog that runs an action. When the action fails, the dialog stays open and shows the failure. */
export function FormDialog(props: FormDialogProps) {
  const { title, text, submit, keep, danger, noValidate, isQuestion, shownAtFields = [], onSubmit, onClose, children } = props;
  const { t } = useSpoken();
  const { busy, failure, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [failure]);
  const start = (): void => {
    const typed = form.current === null ? [] : [...new FormData(form.current)];
    run(() => onSubmit(Object.fromEntries(typed.map(([name, value]) => [name, String(value).trim()]))));
  };
  const content = (
    <>
      {text !== undefined && <p>{text}</p>}
      {typeof children === 'function' ? children(failure) : children}
      <FailureNotice failure={failure} shownAtFields={shownAtFields} />
      <div class="dialog-actions">
        <Button onClick={onClose} text={keep ?? t.common.cancel} />
        <button
          type={isQuestion ? 'button' : 'submit'}
          class={danger ? 'danger' : 'primary'}
          aria-disabled={busy}
          onClick={isQuestion ? start : undefined}
        >
          {busy ? t.common.working : submit}
        </button>
      </div>
    </>
  );
  const submitted = (event: Event): void => {
    event.preventDefault();
    start();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {isQuestion ? (
        content
      ) : (
        <form ref={form} noValidate={noValidate} onSubmit={submitted}>
          {content}
        </form>
      )}
    </Dialog>
  );
}

interface AskedField extends Pick<InputHTMLAttributes, 'type' | 'min' | 'max' | 'maxLength' | 'required' | 'defaultValue'> {
  readonly label: string;
  readonly hint?: string;
  /** Values of which one is chosen, the first at the beginning, with their names. */
  readonly choices?: ReadonlyArray<readonly [value: string, name: string]>;
}

/** What is typed into a form so far. */
export interface Typed<Asked> {
  readonly values: Asked;
  readonly change: (part: Partial<Asked>) => void;
  readonly failure: ApiFailure | undefined;
}

type ShownSecret = Secret & { readonly onSaved?: () => void };

/** What a dialog asks: whether something is meant, or for some values. */
export interface Question<Asked extends object = Values>
  extends Pick<FormDialogProps, 'title' | 'text' | 'submit' | 'keep' | 'noValidate' | 'shownAtFields' | 'isQuestion'> {
  readonly danger?: boolean;
  /** Name of a value → its field. */
  readonly fields?: Readonly<Record<string, AskedField>>;
  /** What a form begins with that is drawn by itself. */
  readonly first?: Asked;
  draw?(form: Typed<Asked>): ComponentChildren;
  /** Whether these values cannot be undone; default `danger`. */
  isDanger?(values: Asked): boolean;
  /** Acts, and resolves with what follows once the dialog is closed: a text that is said, a secret that is shown this once, or another question. */
  run(values: Asked): Promise<string | ShownSecret | Question<object> | undefined>;
}

function Asked({ name, field: { label, hint, choices, ...input } }: { readonly name: string; readonly field: AskedField }) {
  const id = useId();
  if (choices !== undefined)
    return (
      <fieldset>
        <legend>{label}</legend>
        {choices.map(([value, text], index) => (
          <label key={value} class="check">
            <input type="radio" name={name} value={value} defaultChecked={index === 0} />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
    );
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} {...(input as object)} autocomplete="off" spellcheck={false} aria-describedby={hintId} />
      {hint !== undefined && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface AskingProps {
  readonly question: Question<object>;
  readonly onSubmit: (values: object) => Promise<void>;
  readonly onClose: () => void;
}

function Asking({ question, onSubmit, onClose }: AskingProps) {
  const { fields = {}, first = {}, danger = false, draw: _draw, isDanger: _isDanger, run: _run, ...asked } = question;
  const [values, setValues] = useState(first);
  const change = (part: object): void => setValues((before) => ({ ...before, ...part }));
  return (
    <FormDialog
      isQuestion={question.fields === undefined && question.draw === undefined}
      {...asked}
      danger={question.isDanger?.(values) ?? danger}
      onSubmit={(typed) => onSubmit({ ...typed, ...values })}
      onClose={onClose}
    >
      {(failure) => (
        <>
          {Object.entries(fields).map(([name, field]) => (
            <Asked key={name} name={name} field={field} />
          ))}
          {question.draw?.({ values, change, failure })}
        </>
      )}
    </FormDialog>
  );
}

type Ask = <Asked extends object = Values>(question: Question<Asked>) => void;

/** The dialog of a view: asks one question at a time. @returns what shows the dialog, and what asks */
export function useAsk(): readonly [dialog: JSX.Element | undefined, ask: Ask] {
  const announce = useAnnounce();
  const [open, setOpen] = useState<{ readonly count: number; readonly question?: Question<object>; readonly secret?: ShownSecret }>({
    count: 0,
  });
  const show = (what: { readonly question?: Question<object>; readonly secret?: ShownSecret } = {}): void =>
    setOpen(({ count }) => ({ count: count + 1, ...what }));
  const { count, question, secret } = open;
  const submit = async (values: object): Promise<void> => {
    const said = await question?.run(values);
    if (typeof said === 'string') {
      show();
      announce(said);
    } else if (said !== undefined && 'run' in said) show({ question: said });
    else show(said && { secret: said });
  };
  const ask: Ask = (asked) => show({ question: asked as unknown as Question<object> });
  if (question !== undefined) return [<Asking key={count} question={question} onSubmit={submit} onClose={() => show()} />, ask];
  if (secret === undefined) return [undefined, ask];
  const { onSaved, ...shown } = secret;
  const saved = (): void => {
    show();
    onSaved?.();
  };
  return [<SecretDialog key={count} {...shown} onClose={saved} />, ask];
}
