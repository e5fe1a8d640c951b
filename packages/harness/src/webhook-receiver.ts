import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@parcelway/kernel/testing/until';
import { Webhook } from 'standardwebhooks';

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  /** `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
  readonly rawBody: string;
  readonly headers: IncomingMessage['headers'];
  /** Milliseconds on the machine's clock. */
  readonly receivedAt: number;
}

/** Decides the response to a webhook; default 204. */
export type Responder = (webhook: ReceivedWebhook, res: ServerResponse) => void;

/** A merchant's receiver: a real HTTP server on loopback that keeps what it is sent. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** May be replaced at any time. */
  respond: Responder = (_webhook, res) => res.writeHead(204).end();
  /** While set, it responds to every webhook, and {@link received} stays as it is. */
  refuse: ((res: ServerResponse) => void) | undefined;
  readonly #server: Server;
  #port = 0;

  private constructor() {
    this.#server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => this.#take(req, res, Buffer.concat(chunks).toString('utf8')));
    });
  }

  /** Listens on a free loopback port. */
  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await receiver.listen();
    return receiver;
  }

  /** Listens again after {@link stop}, on the same port. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.#server.once('error', reject).listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Address to register. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/webhooks`;
  }

  /** Waits for a webhook that `matches`. */
  waitFor(matches: (webhook: ReceivedWebhook) => boolean, within = 10_000): Promise<ReceivedWebhook> {
    return until(() => this.received.find(matches), { within, what: 'a webhook' });
  }

  /** Waits for a webhook of a type for a forecast. */
  waitForEvent(type: string, poNumber: string, within = 10_000): Promise<ReceivedWebhook> {
    return this.waitFor((webhook) => webhook.type === type && webhook.body.data.po_number === poNumber, within);
  }

  /** True when the signature of a webhook is good under `secret` (Standard Webhooks). */
  static verifies(webhook: ReceivedWebhook, secret: string): boolean {
    try {
      new Webhook(secret).verify(webhook.rawBody, webhook.headers as Record<string, string>);
      return true;
    } catch {
      // The library reports a bad signature only by throwing.
      return false;
    }
  }

  /** Stops listening and drops open connections. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #take(req: IncomingMessage, res: ServerResponse, rawBody: string): void {
    // The sender may have ended the attempt.
    res.on('error', () => undefined);
    if (this.refuse) {
      this.refuse(res);
      return;
    }
    const body = JSON.parse(rawBody) as ReceivedWebhook['body'];
    const webhook: ReceivedWebhook = {
      id: String(req.headers['webhook-id']),
      type: body.type,
      body,
      rawBody,
      headers: req.headers,
      receivedAt: Date.now(),
    };
    this.received.push(webhook);
    this.respond(webhook, res);
  }
}
