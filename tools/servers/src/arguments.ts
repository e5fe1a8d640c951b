import type { S3Kind } from './places.ts';

const VERBS = ['up', 'down', 'status', 'env', 'stop', 'start', 'restart', 'kill', 'pause', 'resume', 'help'];

/** Verbs that act on servers by name. */
const SERVER_VERBS = new Set(['stop', 'start', 'restart', 'kill', 'pause', 'resume']);

/** Flag → the verbs that take it. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  '--cluster': ['up'],
  '--s3': ['up'],
  '--mongo-cache': ['up'],
  '--kafka-defaults': ['up'],
  '--keep': ['down'],
  '--json': ['status'],
};

/** What the command line asks for; `servers` are names, only for verbs that act on single servers. */
export interface Arguments {
  readonly verb: string;
  readonly servers: readonly string[];
  readonly cluster: boolean;
  readonly s3: S3Kind | undefined;
  /** Cache of a MongoDB member, GiB. */
  readonly mongoCache: number | undefined;
  /** Kafka's own times for groups instead of short ones. */
  readonly kafkaDefaults: boolean;
  readonly keep: boolean;
  readonly json: boolean;
}

type Flags = Mutable<Omit<Arguments, 'verb' | 'servers'>>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What MongoDB takes, GiB. */
const MONGO_CACHE = { min: 0.25, max: 64 };

/**
 * What the command line asks for.
 * @param argv without node and the script
 * @throws Error with a sentence for the user
 */
export function parseArguments(argv: readonly string[]): Arguments {
  const [verb = 'help', ...rest] = argv.map((word) => (word === '--help' || word === '-h' ? 'help' : word));
  if (!VERBS.includes(verb)) throw new Error(`unknown command "${verb}"; known are ${VERBS.join(', ')}`);
  const servers: string[] = [];
  const flags: Flags = { cluster: false, s3: undefined, mongoCache: undefined, kafkaDefaults: false, keep: false, json: false };
  const words = rest.flatMap((word) => /^(--s3|--mongo-cache)=(.*)$/.exec(word)?.slice(1) ?? [word]);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === 'help') return { verb: 'help', servers, ...flags };
    if (word.startsWith('-')) readFlag(verb, flags, word, words);
    else servers.push(word);
  }
  const wantsServers = SERVER_VERBS.has(verb);
  if (wantsServers && servers.length === 0) throw new Error(`${verb} needs the name of a server, for example "${verb} mongo-1"`);
  if (!wantsServers && servers.length > 0) throw new Error(`${verb} takes no names; it is for the whole set`);
  return { verb, servers, ...flags };
}

function readFlag(verb: string, flags: Flags, flag: string, words: string[]) {
  const verbs = FLAGS[flag];
  if (verbs === undefined || !verbs.includes(verb)) throw new Error(`${verb} has no option ${flag}`);
  if (flag === '--s3') flags.s3 = readS3(words.shift());
  else if (flag === '--mongo-cache') flags.mongoCache = readMongoCache(words.shift());
  else if (flag === '--kafka-defaults') flags.kafkaDefaults = true;
  else flags[flag.slice(2) as 'cluster' | 'keep' | 'json'] = true;
}

function readS3(kind: string | undefined): S3Kind {
  if (kind !== 'versitygw' && kind !== 'minio') throw new Error('--s3 takes versitygw or minio');
  return kind;
}

function readMongoCache(text: string | undefined): number {
  const { min, max } = MONGO_CACHE;
  const cache = Number(text || Number.NaN);
  if (!(cache >= min && cache <= max)) throw new Error(`--mongo-cache takes GiB from ${min} to ${max}`);
  return cache;
}
