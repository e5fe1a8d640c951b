import { type ParseArgsConfig, parseArgs } from 'node:util';

const VERBS = ['up', 'down', 'status', 'env', 'stop', 'start', 'kill', 'pause', 'resume', 'help'];
/** Verbs that are for the whole set; the others act on servers by name. */
const OF_THE_SET = new Set(['up', 'down', 'status', 'env', 'help']);

const flag = { type: 'boolean' } as const;
/** Verb → its options. */
const OPTIONS: Readonly<Record<string, ParseArgsConfig['options']>> = {
  up: { cluster: flag, 'mongo-cache': { type: 'string' }, 'kafka-defaults': flag },
  status: { json: flag },
};

/** What MongoDB takes, GiB. */
const MONGO_CACHE = { min: 0.25, max: 64 };

/** What the command line asks for; `servers` are names, only for verbs that act on single servers. */
export interface Arguments {
  readonly verb: string;
  readonly servers: readonly string[];
  readonly cluster: boolean;
  /** Cache of a MongoDB member, GiB. */
  readonly mongoCache: number | undefined;
  /** Kafka's own times for groups instead of short ones. */
  readonly kafkaDefaults: boolean;
  readonly json: boolean;
}

/**
 * What the command line asks for.
 * @param argv without node and the script
 * @throws Error with a sentence for the user
 */
export function parseArguments([given = 'help', ...args]: readonly string[]): Arguments {
  const verb = given === '--help' || given === '-h' ? 'help' : given;
  if (!VERBS.includes(verb)) throw new Error(`unknown command "${verb}"; known are ${VERBS.join(', ')}`);
  const options = { help: { ...flag, short: 'h' }, ...OPTIONS[verb] };
  const { values, positionals: servers } = parseArgs({ args, allowPositionals: true, options });
  const { help, cluster, json, 'kafka-defaults': kafkaDefaults, 'mongo-cache': cache }: typeof values & Record<string, unknown> = values;
  if (!help && OF_THE_SET.has(verb) && servers.length > 0) throw new Error(`${verb} takes no names; it is for the whole set`);
  if (!help && !OF_THE_SET.has(verb) && servers.length === 0)
    throw new Error(`${verb} needs the name of a server, for example "${verb} mongo-1"`);
  return {
    verb: help ? 'help' : verb,
    servers,
    cluster: cluster === true,
    mongoCache: cache === undefined ? undefined : readMongoCache(String(cache)),
    kafkaDefaults: kafkaDefaults === true,
    json: json === true,
  };
}

function readMongoCache(text: string): number {
  const { min, max } = MONGO_CACHE;
  const cache = Number(text || Number.NaN);
  if (!(cache >= min && cache <= max)) throw new Error(`--mongo-cache takes GiB from ${min} to ${max}`);
  return cache;
}
