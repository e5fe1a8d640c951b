/** Codes and names of errors of Node and undici, and what they mean. */
const causes: readonly (readonly [code: RegExp, words: string])[] = [
  [/^(ENOTFOUND|EAI_[A-Z]+|ENODATA)$/, 'the host name does not resolve'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'no route leads to the host'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|UND_ERR_ABORTED|TimeoutError|AbortError)$/, 'the call timed out'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'the connection was closed before the response'],
  [/^HPE_[A-Z_]+$/, 'what came back is no HTTP'],
  [/^(EPROTO|ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/, 'TLS failed'],
  [/^EOPENBREAKER$/, 'the calls before this one failed, so that none is made for a moment'],
];
const MAX_DEPTH = 6;

/**
 * Why a call got no response, in words that show nothing of it: neither an address nor a text of the vendor's.
 * @param error the refusal, or what has it as a cause
 * @returns a clause, such as `the host name does not resolve`; undefined when it is none of the known causes
 */
export function failureCause(error: unknown): string | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < MAX_DEPTH && typeof at === 'object' && at !== null; depth += 1) {
    const { code, name, cause } = at as Partial<NodeJS.ErrnoException>;
    for (const id of [String(code), String(name)]) {
      const words = causes.find(([pattern]) => pattern.test(id))?.[1];
      if (words !== undefined) return words === 'TLS failed' ? `${words} (${id})` : words;
    }
    at = cause;
  }
  return undefined;
}
