/**
 * Parses an absolute URL (WHATWG URL Standard).
 * `URL.canParse` is wrong on Node 20 and 22 about addresses beyond ASCII, and `URL.parse` is not part of Node 20.
 * @returns undefined when the text is no URL
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
