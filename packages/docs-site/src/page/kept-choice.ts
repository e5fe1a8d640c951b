/** Choices that are kept on the device: no cookie, and nothing that names somebody. */
const PREFIX = 'parcelway.docs.';

/** A choice of an earlier visit; undefined when there is none, or the browser keeps nothing. */
export function keptChoice(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a choice, where the browser does. */
export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // The choice holds for this page, then.
  }
}
