import { afterEach, beforeEach } from '@jest/globals';
import { MockAgent } from 'undici';
import type { ClientOptions, Credentials, SourceClient, TrackingSource } from '../sources/source.ts';

/** A call that the vendor got. */
export interface SentCall {
  /** Method and path, such as `GET /track`. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body where it is JSON. */
  readonly json: unknown;
}

type Response = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** Mocks the API of a source and records its calls. Each test starts with a new one. */
export class MockVendor {
  readonly sent: SentCall[] = [];
  /** How often a run waited for the turn of another call. */
  further = 0;
  respond: (call: SentCall) => Response = () => [200, {}];
  options!: ClientOptions;
  client!: SourceClient;

  constructor({ baseUrl, connect }: TrackingSource, credentials: Credentials) {
    let agent: MockAgent;
    beforeEach(() => {
      [this.sent.length, this.further] = [0, 0];
      agent = new MockAgent();
      agent.disableNetConnect();
      agent
        .get(new URL(baseUrl).origin)
        .intercept({ path: () => true, method: () => true })
        .reply(({ method, path, headers, body }) => {
          const text = String(body ?? '');
          const json: unknown = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
          const call = { line: `${method} ${path}`, headers: headers as Record<string, string>, text, json };
          this.sent.push(call);
          const [statusCode, data, more = {}] = this.respond(call);
          return { statusCode, data: typeof data === 'string' ? data : JSON.stringify(data), responseOptions: { headers: more } };
        })
        .persist();
      const nextCall = async (): Promise<void> => {
        this.further += 1;
      };
      this.options = { baseUrl, credentials, dispatcher: agent, nextCall };
      this.client = connect(this.options);
    });
    afterEach(() => agent.close());
  }
}
