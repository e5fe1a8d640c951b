import { parseArgs } from 'node:util';
import { serverVerbs } from './server-set.ts';

/** Verbs that are for the whole set; the others act on servers by name. */
const OF_THE_SET = ['up', 'down', 'status', 'env', 'help'];
const VERBS = [...OF_THE_SET, ...serverVerbs];

/** What MongoDB takes as a cache, GiB. */
const MONGO_CACHE = { min: 0.25, max: 64 };

/** The cache of MongoDB in GiB; undefined for the one of tests. */
function mongoCacheOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const { min, max } = MONGO_CACHE;
  const cache = Number(text || Number.NaN);
  if (!(cache >= min && cache <= max)) throw new Error(`--mongo-cache takes GiB from ${min} to ${max}`);
  return cache;
}

export type Asked = ReturnType<typeof askedFor>;

/** What the command line asks for. @param args without node and the script @throws Error with a sentence for the user */
export function askedFor(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const options = { help: { ...flag, short: 'h' }, cluster: flag, json: flag, 'mongo-cache': { type: 'string' } } as const;
  const { values: given, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const values = { ...given, mongoCache: mongoCacheOf(given['mongo-cache']) };
  const [verb = 'help', ...servers] = positionals;
  if (values.help || verb === 'help') return { ...values, verb: 'help', servers };
  if (!VERBS.includes(verb)) throw new Error(`unknown command "${verb}"; known are ${VERBS.join(', ')}`);
  if (OF_THE_SET.includes(verb) && servers.length > 0) throw new Error(`${verb} takes no names; it is for the whole set`);
  if (!OF_THE_SET.includes(verb) && servers.length === 0)
    throw new Error(`${verb} needs the name of a server, for example "${verb} mongo-1"`);
  return { ...values, verb, servers };
}
