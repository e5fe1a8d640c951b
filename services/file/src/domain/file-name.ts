/** Longest file name kept, in characters. */
export const MAX_NAME_CHARACTERS = 255;

const CONTROL = /\p{Cc}/gu;
/** Characters that change the direction of the text around them and so can disguise an extension. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name as uploaded, without control characters. For display only: it never becomes a path. */
export function cleanFileName(uploaded: string): string {
  return uploaded.replace(CONTROL, '');
}

/** A name cut to what is kept; never in the middle of a character. */
export function cutFileName(name: string): string {
  const characters = Array.from(name);
  return characters.length > MAX_NAME_CHARACTERS ? characters.slice(0, MAX_NAME_CHARACTERS).join('') : name;
}

/**
 * `Content-Disposition` that shows a file in the browser and proposes its name (RFC 6266): an ASCII form for old
 * clients and the full name percent-encoded (RFC 8187). Safe for any name.
 */
export function inlineDisposition(name: string): string {
  const shown = name.replace(DIRECTION, '');
  const ascii = shown.replace(/[^A-Za-z0-9 ._-]/g, '_');
  const encoded = encodeURIComponent(shown.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
