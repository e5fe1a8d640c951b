/** A key that names a request, so that its repeat returns what the first one did. */
export function newRequestKey(): string {
  // Not randomUUID: a browser has that over HTTPS alone.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Names requests: one with the same content as the last one is a repeat of it. */
export class RequestKeys {
  #content: string | undefined;
  #key = '';

  /** The key of a request. @param content what distinguishes it from another one */
  keyOf(content: string): string {
    if (content !== this.#content) {
      this.#content = content;
      this.#key = newRequestKey();
    }
    return this.#key;
  }
}
