import { MockAgent } from 'undici';
import type { AskedParcel, ClientOptions, SourceClient, TrackingSource } from '../sources/source.ts';

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
  readonly options: ClientOptions;
  readonly client: SourceClient;
  readonly #agent = new MockAgent();

  /** @param granted response to a call for a token */
  constructor(source: TrackingSource, responses: readonly MockResponse[], granted: MockResponse = TOKEN) {
    this.#agent.disableNetConnect();
    this.#agent
      .get(new URL(source.baseUrl).origin)
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
    this.options = {
      baseUrl: source.baseUrl,
      credentials: Object.fromEntries(required.map((name) => [name, `SECRET-${name}`])),
      dispatcher: this.#agent,
      nextCall: async () => {
        this.further += 1;
      },
    };
    this.client = source.connect(this.options);
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}
