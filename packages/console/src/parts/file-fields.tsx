import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { copyOfFile } from '../data/hooks.ts';
import { useWords } from '../messages/language.ts';

interface FilesFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Kinds of files for the browser's dialog, such as `.pdf`. */
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void;
}

interface DropZoneProps extends Pick<FilesFieldProps, 'label' | 'hint'> {
  readonly onDrop: (files: FileList) => void;
  readonly fault?: string;
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby': string }) => ComponentChildren;
}

function DropZone({ label, hint, onDrop, fault = '', children }: DropZoneProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const [over, setOver] = useState(false);
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
        if (files && files.length > 0) onDrop(files);
      }}
    >
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hintId })}
      <p id={hintId} class="hint">
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

interface FileFieldProps extends Omit<FilesFieldProps, 'onFiles'> {
  readonly maxBytes: number;
  readonly disabled?: boolean;
  /** True when it names no file afterwards: the file is in a list elsewhere, and the next one can be added. */
  readonly clears?: boolean;
  readonly onFile: (file: File) => void;
}

export function FileField({ label, hint, accept, maxBytes, disabled = false, clears = false, onFile }: FileFieldProps) {
  const { t } = useWords();
  const [fault, setFault] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<FileList | null>(null);
  const take = async (files: FileList | null): Promise<void> => {
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
      // The browser can no longer read it: it was moved, or another program holds it.
      setFault(t.failures.noFile);
    }
  };
  const onDrop = (files: FileList): void => {
    // The browser names the file as if it had been chosen.
    if (input.current && !disabled && !clears) input.current.files = files;
    void take(files);
  };
  return (
    <DropZone label={label} hint={hint} onDrop={onDrop} fault={fault}>
      {(ids) => (
        <input
          ref={input}
          {...ids}
          type="file"
          accept={accept}
          // Not `disabled`: that would take the focus away while a file is uploaded.
          aria-disabled={disabled}
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
      )}
    </DropZone>
  );
}

/** Takes chosen or dropped files. The field clears itself, because a list elsewhere shows the files. */
export function FilesField({ label, hint, accept, onFiles }: FilesFieldProps) {
  return (
    <DropZone label={label} hint={hint} onDrop={(files) => onFiles([...files])}>
      {(ids) => (
        <input
          {...ids}
          type="file"
          multiple
          accept={accept}
          onChange={({ currentTarget }) => {
            if (currentTarget.files?.length) onFiles([...currentTarget.files]);
            currentTarget.value = '';
          }}
        />
      )}
    </DropZone>
  );
}
