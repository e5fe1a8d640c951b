const VERBS = ['up', 'down', 'status', 'env', 'stop', 'start', 'restart', 'kill', 'pause', 'resume', 'help'];

/** Verbs that act on servers by name. */
const SERVER_VERBS = new Set(['stop', 'start', 'restart', 'kill', 'pause', 'resume']);

/** Flag → the verbs that take it. */
const FLAGS = { '--cluster': ['up'], '--s3': ['up'], '--keep': ['down'], '--json': ['status'] };

/**
 * What the command line asks for.
 * @param {readonly string[]} argv without node and the script
 * @returns {{ verb: string, servers: string[], cluster: boolean, s3: string | undefined, keep: boolean, json: boolean }}
 * @throws {Error} with a sentence for the user
 */
export function parseArguments(argv) {
  const [verb = 'help', ...rest] = argv.map((word) => (word === '--help' || word === '-h' ? 'help' : word));
  if (!VERBS.includes(verb)) throw new Error(`unknown command "${verb}"; known are ${VERBS.join(', ')}`);
  const parsed = { verb, servers: [], cluster: false, s3: undefined, keep: false, json: false };
  const words = rest.flatMap((word) => (word.startsWith('--s3=') ? ['--s3', word.slice('--s3='.length)] : [word]));
  while (words.length > 0) {
    const word = words.shift();
    if (word === 'help') return { ...parsed, verb: 'help' };
    if (word.startsWith('-')) readFlag(parsed, word, words);
    else parsed.servers.push(word);
  }
  const wantsServers = SERVER_VERBS.has(verb);
  if (wantsServers && parsed.servers.length === 0) throw new Error(`${verb} needs the name of a server, for example "${verb} mongo-1"`);
  if (!wantsServers && parsed.servers.length > 0) throw new Error(`${verb} takes no names; it is for the whole set`);
  return parsed;
}

function readFlag(parsed, flag, words) {
  const verbs = FLAGS[flag];
  if (verbs === undefined || !verbs.includes(parsed.verb)) throw new Error(`${parsed.verb} has no option ${flag}`);
  if (flag !== '--s3') {
    parsed[flag.slice(2)] = true;
    return;
  }
  const kind = words.shift();
  if (kind !== 'versitygw' && kind !== 'minio') throw new Error('--s3 takes versitygw or minio');
  parsed.s3 = kind;
}
