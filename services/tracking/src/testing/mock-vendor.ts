import { MockAgent } from 'undici';
import type { AskedParcel, Credentials, SourceRun, TrackingSource } from '../sources/source.ts';
import { connectSource } from '../sources/source-http.ts';

/** A call that the vendor got. */
export interface SentCall {
  /** Method and path, such as `GET /track`. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body where it is JSON. */
  readonly json: unknown;
}

/** Status, body and headers of a response; a body that is no text is written as JSON. */
export type MockResponse = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];

/** Where a source without an address of its own is. */
export const OWN_ADDRESS = 'https://carrier.example';

const TOKEN: MockResponse = [200, { access_token: 't', expires_in: '3600', accessToken: 't', expiresIn: 3600 }];

/** A parcel as a vendor is asked for it. */
export const askedParcel = (trackingNumber: string, given: Partial<AskedParcel> = {}): AskedParcel => ({
  trackingNumber,
  dispatchedAt: 0,
  carrierCode: 'unknown',
  reference: null,
  ...given,
});

/** The API of a source, which gives the responses of the test, one for each call; the last one comes again. Each credential is `SECRET-<name>`. */
export class MockVendor {
  /** Calls other than those for a token. */
  readonly sent: SentCall[] = [];
  readonly tokenCalls: SentCall[] = [];
  /** How often a run waited for the turn of another call. */
  further = 0;
  /** A run that ends after some seconds. */
  readonly run: SourceRun;
  readonly #agent = new MockAgent();

  /** @param granted response to a call for a token @param given credentials */
  constructor(source: TrackingSource, responses: readonly MockResponse[], granted: MockResponse = TOKEN, given: Credentials = {}) {
    this.#agent.disableNetConnect();
    this.#agent
      .get(new URL(source.baseUrl || OWN_ADDRESS).origin)
      .intercept({ path: () => true, method: () => true })
      .reply(({ method, path, headers, body }) => {
        const text = String(body ?? '');
        const json: unknown = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
        const isToken = path.includes('/oauth');
        (isToken ? this.tokenCalls : this.sent).push({ line: `${method} ${path}`, headers: headers as Record<string, string>, text, json });
        const response = isToken ? granted : (responses[this.sent.length - 1] ?? responses.at(-1));
        const [statusCode, data, more = {}] = response ?? [599, ''];
        const isText = typeof data === 'string' || Buffer.isBuffer(data);
        return { statusCode, data: isText ? data : JSON.stringify(data), responseOptions: { headers: more } };
      })
      .persist();
    const { required } = source.credentials;
    const { baseUrl } = source;
    const credentials = { ...Object.fromEntries(required.map((name) => [name, `SECRET-${name}`])), ...given };
    const nextCall = async (): Promise<void> => {
      this.further += 1;
    };
    this.run = connectSource(source, { baseUrl, credentials, dispatcher: this.#agent, nextCall })(AbortSignal.timeout(20_000));
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}
