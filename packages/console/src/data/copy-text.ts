/** Copies a text. @returns false when the browser does not allow it: there is no clipboard without HTTPS, and some ask for a click just before */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
