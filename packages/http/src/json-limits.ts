import { AppError } from '@parcelway/kernel/app-error';
import { isInexactNumber } from './exact-number.ts';

/** Deepest nesting that is accepted. */
export const MAX_JSON_DEPTH = 32;
/**
 * Most values that a body may have: members of objects and elements of arrays, at every depth. The largest forecast has 18,000. 5 MB
 * have room for millions, whose objects take over 100 MB and a second.
 */
export const MAX_JSON_VALUES = 100_000;

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const UPPER_E = 69;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LOWER_E = 101;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Numbers of this length or shorter are exact, unless they have an exponent. */
const ALWAYS_EXACT_LENGTH = 15;
/** A name in the path of a refusal is cut here. */
const MAX_NAME = 100;

/** 40001 with what is wrong. */
export function malformed(message: string, cause?: unknown): AppError {
  return new AppError('40001', message, { cause });
}

/** Index of the quote that ends the string whose first character is at `start`; the length of the text when there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Index behind the last character of the number that begins at `start`. */
function endOfNumber(text: string, start: number): number {
  for (let end = start + 1; ; end += 1) {
    const code = text.charCodeAt(end);
    const goesOn =
      (code >= ZERO && code <= NINE) || code === DOT || code === LOWER_E || code === UPPER_E || code === PLUS || code === MINUS;
    if (!goesOn) return end;
  }
}

function isInexact(text: string, begin: number, end: number): boolean {
  let mayBe = end - begin > ALWAYS_EXACT_LENGTH;
  for (let index = begin; index < end && !mayBe; index += 1)
    mayBe = text.charCodeAt(index) === LOWER_E || text.charCodeAt(index) === UPPER_E;
  return mayBe && isInexactNumber(text.slice(begin, end));
}

/** One container on the way to a place in a text: an object with the name reached, or an array with the index reached. */
interface Step {
  readonly isObject: boolean;
  name: string;
  index: number;
}

/** A name as it is written between its quotes, read; as it is when it cannot be read. */
function nameOf(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}

function stepText({ isObject, name, index }: Step, isFirst: boolean): string {
  if (!isObject) return `[${index}]`;
  const text = nameOf(name).slice(0, MAX_NAME);
  return isFirst ? text : `.${text}`;
}

/** JSON path of the innermost container that is open at `end`, such as `filter.admin_status`; empty for the root. */
function pathAt(text: string, end: number): string {
  const open: Step[] = [];
  let lastString = '';
  for (let index = 0; index < end; index += 1) {
    const step = open.at(-1);
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const close = endOfString(text, index + 1);
        lastString = text.slice(index + 1, close);
        index = close;
        break;
      }
      case COLON:
        if (step) step.name = lastString;
        break;
      case COMMA:
        if (step) step.index += 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        open.push({ isObject: text.charCodeAt(index) === OPEN_BRACE, name: '', index: 0 });
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        break;
    }
  }
  return open
    .slice(0, -1)
    .map((step, place) => stepText(step, place === 0))
    .join('');
}

/** How many values of a text with too many are read to see whether it is JSON at all: all of them would cost as much as parsing it. */
const PROBED_VALUES = 1000;

/**
 * Refuses a text that does not begin as JSON does.
 * @param end of the values that are read: a comma, or an opening bracket
 * @param closers of the containers that are open there, the one that opens at `end` included
 */
function assertBeginsAsJson(text: string, end: number, closers: string): void {
  try {
    JSON.parse(text.slice(0, text.charCodeAt(end) === COMMA ? end : end + 1) + closers);
  } catch (cause) {
    throw malformed(`The body is not well-formed JSON: ${(cause as Error).message}`, cause);
  }
}

/** The refusal of a text with too many values: 42201 that names where the first one too many is. */
function tooManyValues(text: string, end: number): AppError {
  const field = pathAt(text, end);
  const limit = `the body has more than ${MAX_JSON_VALUES} values, counting every member of an object and every element of an array`;
  const message = field === '' ? `T${limit.slice(1)}` : `${field} has too many values: ${limit}`;
  return AppError.validation([{ field, rule: 'max_values', message }]);
}

/** What a text is made of. */
export interface JsonOutline {
  /** How many names its objects have, repeated ones included. */
  readonly names: number;
  /** Where numbers stand that cannot be read exactly: begin and end of each. */
  readonly inexact: ReadonlyArray<readonly [begin: number, end: number]>;
}

const startsNumber = (code: number): boolean => code === MINUS || (code >= ZERO && code <= NINE);
const isOpening = (code: number): boolean => code === OPEN_BRACE || code === OPEN_BRACKET;
const isBracket = (code: number): boolean => isOpening(code) || code === CLOSE_BRACE || code === CLOSE_BRACKET;

/** The closing brackets of the containers that are open behind a bracket. */
function closersBehind(bracket: number, closers: string): string {
  if (!isOpening(bracket)) return closers.slice(1);
  if (closers.length === MAX_JSON_DEPTH) throw malformed(`The body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  return (bracket === OPEN_BRACE ? '}' : ']') + closers;
}

/**
 * Goes over a text before anything is parsed, in one pass and with hardly any memory of its own.
 * @param text JSON or not; what is not is refused by the parser at the latest
 * @throws AppError 40001 when it is nested too deep, 42201 when it has too many values
 */
export function outlineOf(text: string): JsonOutline {
  const inexact: Array<readonly [number, number]> = [];
  let closers = '';
  let values = 0;
  let names = 0;
  let probe = { end: 0, closers };
  const countValue = (index: number): void => {
    values += 1;
    if (values === PROBED_VALUES) probe = { end: index, closers };
    if (values <= MAX_JSON_VALUES) return;
    assertBeginsAsJson(text, probe.end, probe.closers);
    throw tooManyValues(text, index);
  };
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index + 1);
    } else if (startsNumber(code)) {
      const end = endOfNumber(text, index);
      if (isInexact(text, index, end)) inexact.push([index, end]);
      index = end - 1;
    } else if (code === COLON) {
      names += 1;
    } else if (code === COMMA) {
      countValue(index);
    } else if (isBracket(code)) {
      closers = closersBehind(code, closers);
      if (isOpening(code)) countValue(index);
    }
  }
  return { names, inexact };
}
