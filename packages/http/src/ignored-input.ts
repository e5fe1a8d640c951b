import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { Warning } from '@parcelway/contracts/warnings';
import { hintOf } from '@parcelway/kernel/near-miss';

/*
 * Unknown input is ignored, and the response names it so that a typo is noticed. It never shows values, which may be secrets.
 */

/** A response has at most this many warnings for the query and as many for the body. */
const MAX_WARNINGS = 20;
/** Names are cut to this length: a caller may send thousands of characters. */
const MAX_NAME = 100;
/** Characters that a terminal or log would interpret or hide, and halves of characters, which cutting may leave. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const known = new WeakMap<IncomingMessage, readonly string[]>();

/** Records which parameters a request may have. Without a record it may have none. */
export function noteParameters(req: IncomingMessage, names: readonly string[]): void {
  known.set(req, names);
}

function ignored(given: object, names: readonly string[], kind: string): Warning[] {
  const choice = names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`;
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .slice(0, MAX_WARNINGS)
    .map((name) => {
      const field = name.slice(0, MAX_NAME).replace(NOT_SHOWN, '\ufffd');
      return { field, message: `${field} is not a ${kind} here and was ignored; ${choice}${hintOf(name, names)}` };
    });
}

/** Warns of the parameters in the query of a request that are not known. @returns at most {@link MAX_WARNINGS} */
export function queryWarnings(req: IncomingMessage): Warning[] {
  const url = req.url ?? '';
  const start = url.indexOf('?');
  if (start === -1) return [];
  return ignored(parse(url.slice(start + 1)), known.get(req) ?? [], 'parameter');
}

/**
 * Warns of the fields of a body that are not known.
 * @param fields the known ones, of its validator
 * @returns at most {@link MAX_WARNINGS}
 */
export function bodyWarnings(body: object, fields: readonly string[]): Warning[] {
  return ignored(body, fields, 'field');
}
