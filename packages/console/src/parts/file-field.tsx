import { useId, useState } from 'preact/hooks';

/** What the field needs. */
export interface FileFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Kinds of files for the browser's dialog, such as `.pdf`. */
  readonly accept: string;
  readonly disabled?: boolean;
  readonly onFile: (file: File) => void;
}

/** Takes one file, chosen or dropped. What the file holds the platform judges. */
export function FileField({ label, hint, accept, disabled = false, onFile }: FileFieldProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    const [file] = files ?? [];
    if (file !== undefined && !disabled) onFile(file);
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
        accept={accept}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          take(event.currentTarget.files);
          // The same file can be chosen again after it was corrected.
          event.currentTarget.value = '';
        }}
      />
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}
