/** What a secret of the platform begins with, and the rest of it. So much of the rest is needed to use any of them that a shorter one is none. */
const SECRETS =
  /(pf_test_|pf_live_|pfs_|pfo_)[A-Za-z0-9_.-]{16,}|(whsec_)[A-Za-z0-9+/=_-]{16,}|(?<![A-Za-z])(con_[A-Za-z0-9_-]{6})[A-Za-z0-9_-]{16,}/g;

/** Percent-encoded characters of which secrets consist; the percent sign is one when its own encoding was encoded again. */
const ENCODED = /%(?:2[BDEF5]|3[0-9D]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9A])/gi;
/** A text that was encoded more often is decoded by nobody. */
const MAX_ENCODINGS = 4;

const masked = (text: string): string =>
  text.replace(SECRETS, (_, token?: string, signing?: string, id?: string) => (id === undefined ? `${token ?? signing}****` : `${id}…`));
const decoded = (text: string): string => text.replace(ENCODED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/**
 * A text that is kept, such as a path, a message, an id or JSON, without secrets of the platform: of API keys, tokens of sessions, links and operators, and
 * secrets of webhooks only the prefix stays, then `****`; of ids of connections, to which pushes are sent, the beginning. A secret may be percent-encoded; a text that has one comes back with its letters decoded. JSON stays JSON.
 * Call it before the text is cut: a part of a secret may not look like one.
 */
export function maskSecrets(text: string): string {
  let plain = text;
  for (let times = 0; times < MAX_ENCODINGS && plain.includes('%'); times += 1) plain = decoded(plain);
  const kept = masked(plain);
  return kept === plain ? text : kept;
}
