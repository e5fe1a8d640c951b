import { Button } from '@parcelway/page/parts/button';
import { Dialog } from '@parcelway/page/parts/dialog';
import { createFormDialog } from '@parcelway/page/parts/form-dialog';
import { useState } from 'preact/hooks';
import { useWords } from './messages/language.ts';
import { FailureNotice } from './parts.tsx';

export const ConfirmDialog = createFormDialog(useWords, FailureNotice);

/** Shows a key or token this once; only the button closes it. */
export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const { t } = useWords();
  return (
    <Dialog title={title} onClose={onClose} stays>
      <p>{t.common.secretText}</p>
      <p>
        <code class="token">{secret}</code>
      </p>
      <div class="dialog-actions">
        <Button class="primary" onClick={onClose} text={t.common.saved} />
      </div>
    </Dialog>
  );
}

export interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly maxLength: number;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: string;
  readonly required?: boolean;
}

export function Field({ id, label, hint, onValue, ...input }: FieldProps) {
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...input}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hintId}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      {hint !== undefined && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

export function SearchForm(props: {
  readonly label: string;
  readonly text: string;
  readonly find: string;
  readonly onFind: (text: string) => void;
}) {
  const [text, setText] = useState(props.text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onFind(text.trim());
      }}
    >
      <input
        type="search"
        aria-label={props.label}
        placeholder={props.label}
        maxLength={200}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">{props.find}</button>
    </form>
  );
}
