import { endOfString, type JsonOutline, malformed, outlineOf } from './json-limits.ts';

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** A JSON number beyond every double. It is read as Infinity, which no other JSON text yields but another one like it. */
const BEYOND = '1e999';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** How many names the objects in a value have. */
function namesIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += namesIn(element);
    return count;
  }
  const names = Object.keys(value);
  for (const name of names) count += namesIn((value as Record<string, unknown>)[name]);
  return count + names.length;
}

/** The names of an open object; null for an array. */
type Container = Set<string> | null;

/** Notes a name of the innermost object. `raw` is the text between its quotes. */
function noteName(names: Set<string>, raw: string): void {
  const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  if (names.has(name)) throw malformed(`The name "${name.slice(0, 100)}" occurs twice in one object`);
  names.add(name);
}

/**
 * Names the name that occurs twice in one object, which JSON.parse lets through.
 * @param text valid JSON, so that a string directly behind `{` or a comma in an object is a name
 */
function refuseRepeatedName(text: string): void {
  const open: Container[] = [];
  let expectName = false;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const end = endOfString(text, index + 1);
        const names = open.at(-1);
        if (expectName && names) noteName(names, text.slice(index + 1, end));
        expectName = false;
        index = end;
        break;
      }
      case OPEN_BRACE:
        open.push(new Set());
        expectName = true;
        break;
      case OPEN_BRACKET:
        open.push(null);
        expectName = false;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        expectName = false;
        break;
      case COMMA:
        expectName = open.at(-1) !== null;
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

/** The text with every number that cannot be read exactly as one beyond every double. */
function withoutInexact(text: string, { inexact }: JsonOutline): string {
  if (inexact.length === 0) return text;
  const parts: string[] = [];
  let copied = 0;
  for (const [begin, end] of inexact) {
    parts.push(text.slice(copied, begin), BEYOND);
    copied = end;
  }
  return parts.join('') + text.slice(copied);
}

/**
 * Parses a request body strictly: UTF-8, JSON (RFC 8259), no name twice in an object, at most 32 levels and 100,000 values, only whole
 * characters. A number that a double cannot hold as written becomes Infinity, which no schema accepts: the validator names
 * the field, and a field that nobody reads is ignored whatever it holds.
 * @throws AppError 40001 with what is wrong; 42201 when there are too many values
 */
export function parseStrictJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch (cause) {
    throw malformed('The body is not valid UTF-8', cause);
  }
  const outline = outlineOf(text);
  let value: unknown;
  try {
    value = JSON.parse(withoutInexact(text, outline));
  } catch (cause) {
    throw malformed(`The body is not well-formed JSON: ${(cause as Error).message}`, cause);
  }
  // A repeated name is one in the text that is none in the value.
  if (namesIn(value) !== outline.names) refuseRepeatedName(text);
  if (/\\u[dD][89a-fA-F]/.test(text)) assertWellFormed(value);
  return value;
}
