import { useId, useRef, useState } from 'preact/hooks';
import { copyOfFile } from '../data/hooks.ts';
import { useWords } from '../messages/language.ts';

interface FileFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly maxBytes: number;
  readonly disabled?: boolean;
  /** True when it names no file afterwards: the file is in a list elsewhere, and the next one can be added. */
  readonly clears?: boolean;
  readonly onFile: (file: File) => void;
}

export function FileField({ label, hint, accept, maxBytes, disabled = false, clears = false, onFile }: FileFieldProps) {
  const { t } = useWords();
  const id = useId();
  const [over, setOver] = useState(false);
  const [fault, setFault] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<FileList | null>(null);
  const take = async (files: FileList | null | undefined): Promise<void> => {
    const [file] = files ?? [];
    if (file === undefined || disabled) return;
    if (file.size > maxBytes) {
      setFault(t.failures.fileSize);
      return;
    }
    try {
      const copy = await copyOfFile(file);
      setFault('');
      onFile(copy);
    } catch {
      // The browser may read it no more: it was moved, or another program holds it.
      setFault(t.failures.noFile);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition; the field inside does the same by keyboard
    <div
      class={over ? 'file-field file-field-over' : 'file-field'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = event.dataTransfer?.files;
        // The browser names the file as if it had been chosen.
        if (input.current && files && files.length > 0 && !disabled && !clears) input.current.files = files;
        void take(files);
      }}
    >
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        // Not `disabled`: that would take the focus away while a file is uploaded.
        aria-disabled={disabled}
        aria-describedby={`${id}-hint`}
        onClick={(event) => {
          const { currentTarget } = event;
          if (disabled) {
            event.preventDefault();
            return;
          }
          // The same file can be chosen again after it was corrected.
          before.current = currentTarget.files;
          currentTarget.value = '';
        }}
        onCancel={({ currentTarget }) => {
          currentTarget.files = before.current;
        }}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files).finally(() => {
            if (clears) currentTarget.value = '';
          });
        }}
      />
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
      {fault !== '' && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

interface FilesFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files, chosen or dropped. It names none afterwards: they are in a list elsewhere, and further ones can be added. */
export function FilesField({ label, hint, accept, onFiles }: FilesFieldProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    const taken = [...(files ?? [])];
    if (taken.length > 0) onFiles(taken);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition; the field inside does the same by keyboard
    <div
      class={over ? 'file-field file-field-over' : 'file-field'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        multiple
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}
