/** A key that names a request, so that its repeat returns what the first one did. */
function newRequestKey(): string {
  // Not randomUUID: a browser has that over HTTPS alone.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Names requests: one with the content of a request that failed is a repeat of it, because its response may have been lost. */
export class RequestKeys {
  #content: string | undefined;
  #key = '';

  /**
   * Sends a request under its key.
   * @param content what distinguishes it from another one
   * @throws what `request` throws
   */
  async send<T>(content: string, request: (key: string) => Promise<T>): Promise<T> {
    if (content !== this.#content) {
      this.#content = content;
      this.#key = newRequestKey();
    }
    const result = await request(this.#key);
    // What is done is done: the same content again is meant to be done again.
    this.#content = undefined;
    return result;
  }
}
