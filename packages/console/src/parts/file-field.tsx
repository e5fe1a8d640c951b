import { useId, useState } from 'preact/hooks';
import { useWords } from '../messages/language.ts';

/** What the field needs. */
export interface FileFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Kinds of files for the browser's dialog, such as `.pdf`. */
  readonly accept: string;
  /** A larger file is refused before it is sent. */
  readonly maxBytes: number;
  readonly disabled?: boolean;
  readonly onFile: (file: File) => void;
}

/** A copy of a file in memory: what is sent is what was chosen, whatever becomes of the file on the disk. */
async function copyOf(file: File): Promise<File> {
  return new File([await file.arrayBuffer()], file.name, { type: file.type });
}

/** Takes one file, chosen or dropped. What the file holds the platform judges. */
export function FileField({ label, hint, accept, maxBytes, disabled = false, onFile }: FileFieldProps) {
  const { t } = useWords();
  const id = useId();
  const [over, setOver] = useState(false);
  const [fault, setFault] = useState('');
  const take = async (files: FileList | null | undefined): Promise<void> => {
    const [file] = files ?? [];
    if (file === undefined || disabled) return;
    if (file.size > maxBytes) {
      setFault(t.failures.fileSize);
      return;
    }
    try {
      const copy = await copyOf(file);
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
        void take(event.dataTransfer?.files);
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          // The same file can be chosen again after it was corrected.
          void take(currentTarget.files).finally(() => {
            currentTarget.value = '';
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
