import { AppError } from '@parcelway/kernel/app-error';

/** Deepest nesting that is accepted. */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 34;
const BACKSLASH = 92;
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
 * Refuses nesting deeper than the limit before anything is parsed: 5 MB of brackets cost the parser more than a second.
 * @param text JSON or not; in what is not, the brackets may be counted wrongly, and it is refused either way
 */
function checkDepth(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index + 1);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw malformed(`The body is nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
}

/** The names of an open object, made at the first one; null for an array. */
interface Container {
  names: Set<string> | null | undefined;
}

/** Notes a name of the innermost object. `raw` is the text between its quotes. */
function noteName(container: Container, raw: string): void {
  const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  container.names ??= new Set();
  if (container.names.has(name)) throw malformed(`The name "${name.slice(0, 100)}" occurs twice in one object`);
  container.names.add(name);
}

/**
 * Finds a name that occurs twice in one object, which JSON.parse lets through.
 * @param text valid JSON, so that a string directly behind `{` or a comma in an object is a name
 */
function checkNames(text: string): void {
  const open: Container[] = [];
  let expectName = false;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const end = endOfString(text, index + 1);
        if (expectName) noteName(open.at(-1) as Container, text.slice(index + 1, end));
        expectName = false;
        index = end;
        break;
      }
      case OPEN_BRACE:
        open.push({ names: undefined });
        expectName = true;
        break;
      case OPEN_BRACKET:
        open.push({ names: null });
        expectName = false;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        expectName = false;
        break;
      case COMMA:
        expectName = open.at(-1)?.names !== null;
        break;
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
  checkDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(`The body is not well-formed JSON: ${(cause as Error).message}`, cause);
  }
  checkNames(text);
  if (/\\u[dD][89a-fA-F]/.test(text)) assertWellFormed(value);
  return value;
}
