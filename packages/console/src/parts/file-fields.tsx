import { useId, useRef, useState } from 'preact/hooks';
import { copyOfFile } from '../data/hooks.ts';
import { useWords } from '../messages/language.ts';

interface FilesFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Kinds of files for the browser's dialog, such as `.pdf`. */
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void | Promise<void>;
}

interface FileInputProps extends FilesFieldProps {
  readonly multiple?: boolean;
  readonly disabled?: boolean;
  /** True when it names no file afterwards: the file is in a list elsewhere, and the next one can be added. */
  readonly clears?: boolean;
  readonly fault?: string;
}

/** Takes chosen or dropped files. */
function FileInput({ label, hint, accept, onFiles, multiple = false, disabled = false, clears = false, fault = '' }: FileInputProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<FileList | null>(null);
  const take = async (files: FileList | null): Promise<void> => {
    if (!files?.length || disabled) return;
    await onFiles([...files]);
    if (clears && input.current) input.current.value = '';
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
        const files = event.dataTransfer?.files ?? null;
        // The browser names the file as if it had been chosen.
        if (files?.length && input.current && !disabled && !clears) input.current.files = files;
        void take(files);
      }}
    >
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        aria-describedby={`${id}-hint`}
        type="file"
        multiple={multiple}
        accept={accept}
        // Not `disabled`: that would take the focus away while a file is uploaded.
        aria-disabled={disabled}
        onClick={(event) => {
          if (disabled) return event.preventDefault();
          // The same file can be chosen again after it was corrected.
          before.current = event.currentTarget.files;
          event.currentTarget.value = '';
        }}
        onCancel={({ currentTarget }) => {
          currentTarget.files = before.current;
        }}
        onChange={({ currentTarget }) => void take(currentTarget.files)}
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

interface FileFieldProps extends Omit<FileInputProps, 'onFiles' | 'multiple' | 'fault'> {
  readonly maxBytes: number;
  readonly onFile: (file: File) => void;
}

/** Takes one file, into memory. */
export function FileField({ maxBytes, onFile, ...field }: FileFieldProps) {
  const { t } = useWords();
  const [fault, setFault] = useState('');
  const take = async ([file]: readonly File[]): Promise<void> => {
    if (file === undefined) return;
    if (file.size > maxBytes) return setFault(t.failures.fileSize);
    try {
      const copy = await copyOfFile(file);
      setFault('');
      onFile(copy);
    } catch {
      // The browser can no longer read it: it was moved, or another program holds it.
      setFault(t.failures.noFile);
    }
  };
  return <FileInput {...field} fault={fault} onFiles={take} />;
}

/** Takes any number of files. The field clears itself, because a list elsewhere shows them. */
export const FilesField = (props: FilesFieldProps) => <FileInput {...props} multiple clears />;
