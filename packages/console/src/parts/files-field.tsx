import { useId, useState } from 'preact/hooks';

/** What the field needs. */
export interface FilesFieldProps {
  readonly label: string;
  readonly hint: string;
  /** Kinds of files for the browser's dialog, such as `.pdf`. */
  readonly accept: string;
  /** What the files hold, their size and their number are judged elsewhere. */
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
