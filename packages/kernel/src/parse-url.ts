/**
 * Parses an absolute URL (WHATWG URL Standard) that somebody else wrote.
 *
 * It stands in for `URL.canParse`, which is wrong on Node 20 and 22: once V8 has compiled its caller, it rejects every URL with a
 * letter of Latin-1 beyond ASCII, such as `https://bücher.example/`. `URL.parse` is not part of Node 20.
 * @returns undefined when the text is no URL
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
