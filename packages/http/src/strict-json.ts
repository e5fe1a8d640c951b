import { AppError } from '@parcelway/kernel/app-error';

/** Deepest nesting that is accepted. */
export const MAX_JSON_DEPTH = 32;
/**
 * Most values that a body may have: members of objects and elements of arrays, at every depth. The largest forecast has 18,000. 5 MB
 * have room for millions, whose objects take over 100 MB and a second.
 */
export const MAX_JSON_VALUES = 100_000;
/** A name in a message is cut here. */
const MAX_NAME = 100;
/** Numbers of this length or shorter are exact, unless they have an exponent. */
const ALWAYS_EXACT_LENGTH = 15;
/** A JSON number beyond every double. It is read as Infinity, which no other JSON text yields but another one like it. */
const BEYOND = '1e999';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** 40001 with what is wrong. */
function malformed(message: string, cause?: unknown): AppError {
  return new AppError('40001', message, { cause });
}

/** Index of the quote that ends the string whose first character is at `start`; the length of the text when there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** A name as it is written between its quotes, read; as it is when it cannot be read. */
function nameOf(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}

/** A number in the grammar of JSON, and as JavaScript writes one. */
const NUMBER = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO = 48;

/** The value of a number as its digits without zeros at their edges, and the power of ten of the last one; the sign is left out. */
function decimalOf(literal: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  // Loops instead of a regular expression, whose search for trailing zeros takes quadratic time.
  let begin = 0;
  while (begin < digits.length && digits.charCodeAt(begin) === ZERO) begin += 1;
  let end = digits.length;
  while (end > begin && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return begin === end ? '0' : `${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/**
 * True when reading a JSON number yields another value than the one written: JavaScript, like most readers of JSON, keeps numbers as
 * IEEE 754 doubles, written back in their shortest form. Up to 15 significant digits always survive; 99999999.99990000000001 does not.
 * @returns false for a literal that is not a JSON number
 */
function isInexactNumber(literal: string): boolean {
  const written = decimalOf(literal);
  return written !== undefined && written !== decimalOf(String(Number(literal)));
}

/** A container that is open at a place in a text: an object with the name reached, or an array with the index reached. */
interface Container {
  /** Of an object; undefined for an array. */
  readonly names: Set<string> | undefined;
  name: string;
  index: number;
  /** The next string is a name. */
  expectsName: boolean;
}

/** Reads a text in one pass before it is parsed. Text that is not JSON may get through: the parser refuses it. */
class Outline {
  readonly #text: string;
  readonly #open: Container[] = [];
  #values = 0;
  #numbers = 0;
  /** The first name that occurs twice in one object, which JSON.parse lets through. */
  repeated: string | undefined;
  /** Where numbers stand that cannot be read exactly: begin and end of each. */
  readonly inexact: Array<readonly [begin: number, end: number]> = [];

  /** @throws AppError 40001 when the text is nested too deep, 42201 when it has too many values */
  constructor(text: string) {
    this.#text = text;
    for (let index = 0; index < text.length; index += 1) index = this.#read(text[index] as string, index);
  }

  /** @returns index of the last character that was read */
  #read(character: string, index: number): number {
    switch (character) {
      case '"': {
        const end = endOfString(this.#text, index + 1);
        this.#noteName(index + 1, end);
        return end;
      }
      case ',': {
        this.#countValue();
        const container = this.#open.at(-1);
        if (container?.names) container.expectsName = true;
        else if (container) container.index += 1;
        return index;
      }
      case '{':
      case '[':
        this.#enter(character === '{');
        return index;
      case '}':
      case ']':
        this.#open.pop();
        return index;
    }
    return character === '-' || (character >= '0' && character <= '9') ? this.#noteNumber(index) : index;
  }

  #noteName(begin: number, end: number): void {
    const container = this.#open.at(-1);
    if (!container?.names || !container.expectsName) return;
    container.expectsName = false;
    container.name = nameOf(this.#text.slice(begin, end));
    if (container.names.has(container.name)) this.repeated ??= container.name;
    container.names.add(container.name);
  }

  #noteNumber(begin: number): number {
    const number = /[\d.eE+-]+/y;
    number.lastIndex = begin;
    const [literal = ''] = number.exec(this.#text) ?? [];
    const end = begin + literal.length;
    this.#numbers += 1;
    // A JSON text has at most this many: the parser refuses one with more, so checking them would only cost time.
    if (this.#numbers > MAX_JSON_VALUES) return end - 1;
    if ((literal.length > ALWAYS_EXACT_LENGTH || /e/i.test(literal)) && isInexactNumber(literal)) this.inexact.push([begin, end]);
    return end - 1;
  }

  #enter(isObject: boolean): void {
    if (this.#open.length === MAX_JSON_DEPTH) throw malformed(`The body is nested deeper than ${MAX_JSON_DEPTH} levels`);
    this.#countValue();
    this.#open.push({ names: isObject ? new Set() : undefined, name: '', index: 0, expectsName: isObject });
  }

  #countValue(): void {
    this.#values += 1;
    if (this.#values > MAX_JSON_VALUES) throw this.#tooManyValues();
  }

  /** The refusal of a text with too many values: 42201 that names where the first one too many is. */
  #tooManyValues(): AppError {
    const steps = this.#open
      .slice(0, -1)
      .map(({ names, name, index }, place) => (names ? `${place === 0 ? '' : '.'}${name.slice(0, MAX_NAME)}` : `[${index}]`));
    const field = steps.join('');
    const limit = `the body has more than ${MAX_JSON_VALUES} values, counting every member of an object and every element of an array`;
    const message = field === '' ? `T${limit.slice(1)}` : `${field} has too many values: ${limit}`;
    return AppError.validation([{ field, rule: 'max_values', message }]);
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

/** The text with {@link BEYOND} in place of inexact numbers, padded so that a parser error names the right position. */
function withoutInexact(text: string, { inexact }: Outline): string {
  if (inexact.length === 0) return text;
  const parts: string[] = [];
  let copied = 0;
  for (const [begin, end] of inexact) {
    parts.push(text.slice(copied, begin), BEYOND.padEnd(end - begin));
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
  const outline = new Outline(text);
  let value: unknown;
  try {
    value = JSON.parse(withoutInexact(text, outline));
  } catch (cause) {
    throw malformed(`The body is not well-formed JSON: ${(cause as Error).message}`, cause);
  }
  if (outline.repeated !== undefined) throw malformed(`The name "${outline.repeated.slice(0, MAX_NAME)}" occurs twice in one object`);
  if (/\\u[dD][89a-fA-F]/.test(text)) assertWellFormed(value);
  return value;
}
