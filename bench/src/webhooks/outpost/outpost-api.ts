import { Pool } from 'undici';
import { closedLoopOf } from '../../closed-loop.ts';
import type { BenchEvent, EndpointPlan } from '../sides/side.ts';

const AT_ONCE = 20;
const RESPONSE_WITHIN_MS = 20_000;
/** Enough that a publisher never waits for another's response at the rates measured. */
const PUBLISHING_CONNECTIONS = 64;
const PUBLISHED_WITHIN_MS = 10_000;
/** The one topic that Outpost is configured with. */
export const OUTPOST_TOPIC = 'parcel.weighed';

/** What is asked of Outpost over its HTTP API. */
export class OutpostApi {
  readonly #pool: Pool;
  /** Connections on which events are published. */
  readonly #publishing: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(origin: string, apiKey: string) {
    this.#headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    this.#pool = new Pool(origin, { connections: AT_ONCE, headersTimeout: RESPONSE_WITHIN_MS, bodyTimeout: RESPONSE_WITHIN_MS });
    this.#publishing = new Pool(origin, {
      connections: PUBLISHING_CONNECTIONS,
      connectTimeout: PUBLISHED_WITHIN_MS,
      headersTimeout: PUBLISHED_WITHIN_MS,
      bodyTimeout: PUBLISHED_WITHIN_MS,
    });
  }

  /** True when it works. */
  async isHealthy(): Promise<boolean> {
    const response = await this.#pool.request({ method: 'GET', path: '/api/v1/healthz', headers: this.#headers });
    await response.body.dump();
    return response.statusCode === 200;
  }

  /** Makes each tenant and its one webhook destination. */
  async register(endpoints: readonly EndpointPlan[]): Promise<void> {
    const left = [...endpoints];
    await closedLoopOf(AT_ONCE, endpoints.length, async () => {
      const { tenantId, url } = left.pop() as EndpointPlan;
      const tenant = `/api/v1/tenants/${tenantId}`;
      await this.#expectOk('PUT', tenant, {});
      await this.#expectOk('POST', `${tenant}/destinations`, { type: 'webhook', topics: [OUTPOST_TOPIC], config: { url } });
    });
  }

  /** Publishes an event with the same data as Parcelway's; resolves once it is in its queue. @throws Error for any other status than 202 */
  async publish({ id, tenantId, forecastNo, poNumber }: BenchEvent): Promise<void> {
    const time = new Date().toISOString();
    const data = { event_id: id, environment: 'sandbox', forecast_no: forecastNo, po_number: poNumber, status: 3, weighed_at: time };
    const { statusCode, body } = await this.#publishing.request({
      method: 'POST',
      path: '/api/v1/publish',
      headers: this.#headers,
      body: JSON.stringify({ id, tenant_id: tenantId, topic: OUTPOST_TOPIC, eligible_for_retry: true, time, data }),
    });
    if (statusCode === 202) return void (await body.dump());
    throw new Error(`Outpost responded to an event with ${statusCode}: ${(await body.text()).slice(0, 500)}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#publishing.destroy()]);
  }

  async #expectOk(method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
    const response = await this.#pool.request({ method, path, headers: this.#headers, body: JSON.stringify(body) });
    const text = await response.body.text();
    if (response.statusCode >= 300)
      throw new Error(`Outpost responded to ${method} ${path} with ${response.statusCode}: ${text.slice(0, 500)}`);
  }
}
