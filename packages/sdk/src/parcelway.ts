import { Caller } from './caller.ts';
import { Resources } from './generated/resources.ts';
import type { ParcelwayOptions } from './options.ts';
import { parseUrl } from './parse-url.ts';
import { DEFAULT_QUICKSTART, readQuickstart } from './quickstart.ts';
import { createTransport, type Transport } from './transport.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 3;
const MAX_RETRIES = 10;

function checkedBaseUrl(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' ? parseUrl(baseUrl) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError(`baseUrl must be the https:// address of a platform, such as https://localhost:8443; ${String(baseUrl)} is not`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function checkedKey(apiKey: unknown): string {
  // Header values are visible ASCII. The key is never shown.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a key of the platform (pf_test_… or pf_live_…); it is missing or has invalid characters');
  }
  return apiKey;
}

/** A whole number within bounds. @throws TypeError that names the option */
function checkedNumber(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new TypeError(`${name} must be a whole number from ${least} to ${most}; ${value} is not`);
  }
  return value;
}

/** A client of the API of a platform: one for each key, used for as long as the program runs. */
export class Parcelway extends Resources {
  readonly #transport: Transport;

  /** @throws TypeError that names the option and what is allowed */
  constructor(options: ParcelwayOptions) {
    const { timeoutMs = DEFAULT_TIMEOUT_MS, maxRetries = DEFAULT_RETRIES, ca } = options;
    const settings = {
      apiKey: checkedKey(options.apiKey),
      baseUrl: checkedBaseUrl(options.baseUrl),
      timeoutMs: checkedNumber('timeoutMs', timeoutMs, 1, 3_600_000),
      maxRetries: checkedNumber('maxRetries', maxRetries, 0, MAX_RETRIES),
      userAgent: `parcelway-sdk node/${process.versions.node}`,
    };
    const transport = createTransport(ca);
    super(new Caller(settings, transport));
    this.#transport = transport;
  }

  /**
   * A client of a sandbox on this machine, for its demo tenant.
   * @param path of the quickstart.json that the sandbox writes into its data directory; address, key and certificate are in it
   * @throws Error that names the file when there is none, or when it is something else
   */
  static fromQuickstart(path: string = DEFAULT_QUICKSTART, options: Omit<ParcelwayOptions, 'apiKey' | 'baseUrl' | 'ca'> = {}): Parcelway {
    return new Parcelway({ ...options, ...readQuickstart(path) });
  }

  /** Closes the connections that are kept open for later calls. They do not keep the program from ending. */
  close(): void {
    this.#transport.close();
  }
}
