import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { Warning } from '@parcelway/contracts/forecast-api';

/** At most so many warnings of a query come with an answer. */
const MAX_WARNINGS = 20;
/** A name is cut here: it is the caller's text, and a URL has room for thousands of characters. */
const MAX_NAME = 100;
/** What a terminal or a log would obey or hide instead of showing it, and halves of characters, which a cut leaves behind. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const known = new WeakMap<IncomingMessage, readonly string[]>();

/** Notes which parameters a request may have. A request of which nothing is noted takes none. */
export function noteParameters(req: IncomingMessage, names: readonly string[]): void {
  known.set(req, names);
}

function ignored(name: string, names: readonly string[]): Warning {
  const field = name.slice(0, MAX_NAME).replace(NOT_SHOWN, '\ufffd');
  const choice = names.length === 0 ? 'there are none' : `known are ${names.join(', ')}`;
  return { field, message: `${field} is not a parameter here and was ignored; ${choice}` };
}

/**
 * Warns of the parameters in the query of a request that are not known: they are ignored, and a slip of the pen should not go
 * unseen. Only names are told; a value may be a secret.
 * @returns at most {@link MAX_WARNINGS}, in the order of the query
 */
export function queryWarnings(req: IncomingMessage): Warning[] {
  const url = req.url ?? '';
  const start = url.indexOf('?');
  if (start === -1) return [];
  const names = known.get(req) ?? [];
  return Object.keys(parse(url.slice(start + 1)))
    .filter((name) => !names.includes(name))
    .slice(0, MAX_WARNINGS)
    .map((name) => ignored(name, names));
}
