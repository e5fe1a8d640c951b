import { afterEach } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { Webhook } from 'standardwebhooks';
import { type Received, type Receiver, type Responding, startReceiver } from './receiver.ts';
import { type Harness, openHarness } from './webhook-harness.ts';

/** A delivery as the API shows it. */
export interface DeliveryView {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly status: string;
  readonly attempt_count: number;
  readonly next_attempt_time: string | null;
  readonly last_status_code: number | null;
}
/** An attempt as the API shows it. */
export interface AttemptView {
  readonly attempt_number: number;
  readonly outcome: string;
  readonly status_code: number | null;
  readonly error_code: string | null;
  readonly error: string | null;
  readonly response_body: string | null;
}

/** What is closed after the test. */
export const opened: { close(): Promise<void> }[] = [];

/** Closes after each test of a file what it has opened. */
export function closeOpened(): void {
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });
}

/** A running service. */
export async function harness(env?: Record<string, string>): Promise<Harness> {
  const made = await openHarness(env);
  opened.push({ close: () => made.stop() });
  return made;
}

/** A running receiver. */
export async function receiver(response?: Responding): Promise<Receiver> {
  const made = await startReceiver(response);
  opened.push(made);
  return made;
}

/** The deliveries of an endpoint, newest first. */
export async function deliveries(h: Harness, endpointId: string): Promise<DeliveryView[]> {
  const { data } = await h.call('GET', `/${endpointId}/deliveries?limit=100`);
  return (data as unknown as { deliveries: DeliveryView[] }).deliveries;
}

/** The endpoint's only delivery once it has a status. */
export function settled(h: Harness, endpointId: string, status: string): Promise<DeliveryView> {
  return until(async () => (await deliveries(h, endpointId)).find((one) => one.status === status), { what: `a ${status} delivery` });
}

/** The attempts of a delivery, oldest first. */
export async function attempts(h: Harness, endpointId: string, deliveryId: string): Promise<AttemptView[]> {
  const { data } = await h.call('GET', `/${endpointId}/deliveries/${deliveryId}/attempts`);
  return (data as unknown as { attempts: AttemptView[] }).attempts;
}

/** The body of a request whose signature is right. @throws when it is wrong */
export function verify(secret: string, got: Received | undefined): unknown {
  return new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
}
