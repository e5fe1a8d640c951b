/** A text with its JSON set out in lines; the text as it is when it is no JSON. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A kind of piece of a JSON text. */
export type JsonToken = 'key' | 'string' | 'number' | 'word' | 'plain';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** Cuts a JSON text into pieces to be coloured; joined they are the text again. */
export function jsonTokens(text: string): ReadonlyArray<readonly [kind: JsonToken, text: string]> {
  const pieces: Array<readonly [JsonToken, string]> = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) pieces.push(['plain', text.slice(end, match.index)]);
    const [whole, quoted, colon, digits] = match;
    if (quoted !== undefined) pieces.push([colon === undefined ? 'string' : 'key', quoted]);
    else pieces.push([digits === undefined ? 'word' : 'number', whole]);
    if (colon !== undefined) pieces.push(['plain', colon]);
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push(['plain', text.slice(end)]);
  return pieces;
}
