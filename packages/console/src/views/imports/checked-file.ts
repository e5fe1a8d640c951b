/** A file that was checked, and the import that checked it. */
interface CheckedFile {
  readonly importId: string;
  readonly file: File;
}

/** The latest one, in the memory of the page: a reload forgets it. */
let latest: CheckedFile | undefined;

/** Keeps a file, so that it can be imported once it was checked without being chosen again. The one before is forgotten. */
export function keepChecked(importId: string, file: File): void {
  latest = { importId, file };
}

/** The file that an import has checked; undefined when it is not kept any more. */
export function checkedFile(importId: string | undefined): File | undefined {
  return latest !== undefined && latest.importId === importId ? latest.file : undefined;
}
