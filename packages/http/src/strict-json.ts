import { AppError } from '@parcelway/kernel/app-error';

/** Deepest nesting that is accepted. */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('40001', message, { cause });
}

/** Index of the quote that ends the string whose first character is at `start`. The text is known to be valid JSON. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/**
 * Finds what JSON.parse lets through: nesting deeper than the limit and a name that occurs twice in one object.
 * @param text valid JSON
 */
function checkStructure(text: string): void {
  // One entry per open container: the names seen of an object, null for an array.
  const open: Array<Set<string> | null> = [];
  let expectName = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index + 1);
      const names = open.at(-1);
      if (expectName && names) {
        const raw = text.slice(index + 1, end);
        const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
        if (names.has(name)) throw malformed(`The name "${name.slice(0, 100)}" occurs twice in one object`);
        names.add(name);
        expectName = false;
      }
      index = end;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      open.push(code === OPEN_BRACE ? new Set() : null);
      expectName = code === OPEN_BRACE;
      if (open.length > MAX_JSON_DEPTH) throw malformed(`The body is nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
      expectName = false;
    } else if (code === COMMA) {
      expectName = open.at(-1) !== null;
    } else if (code === COLON) {
      expectName = false;
    }
  }
}

function assertWellFormed(value: unknown): void {
  if (typeof value === 'string') {
    // String.prototype.isWellFormed exists from Node 20 on; the ES2023 library does not declare it yet.
    if (!(value as string & { isWellFormed(): boolean }).isWellFormed()) {
      throw malformed('The body contains half of a surrogate pair, which is no character');
    }
  } else if (Array.isArray(value)) {
    for (const element of value) assertWellFormed(element);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, element] of Object.entries(value)) {
      assertWellFormed(name);
      assertWellFormed(element);
    }
  }
}

/**
 * Parses a request body strictly: UTF-8, JSON (RFC 8259), no name twice in an object, at most 32 levels, only whole
 * characters.
 * @throws AppError 40001 with what is wrong
 */
export function parseStrictJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch (cause) {
    throw malformed('The body is not valid UTF-8', cause);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(`The body is not well-formed JSON: ${(cause as Error).message}`, cause);
  }
  checkStructure(text);
  if (/\\u[dD][89a-fA-F]/.test(text)) assertWellFormed(value);
  return value;
}
