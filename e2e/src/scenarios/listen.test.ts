import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { Stage } from '../stage.ts';
import { weigh } from '../subscription.ts';

const PARCELCTL = fileURLToPath(new URL('../../../services/all-in-one/bin/parcelctl.js', import.meta.url));

type Note = Readonly<Record<string, unknown>> & { readonly type: string };

/** `parcelctl listen --json`, running. */
class Listener {
  static readonly running = new Set<Listener>();
  readonly notes: Note[] = [];
  stderr = '';
  readonly #child: ChildProcess;
  readonly #end: Promise<unknown>;

  private constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, [PARCELCTL, 'listen', '--json', ...args], { env: { PATH: process.env.PATH, ...env } });
    let text = '';
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      this.notes.push(...lines.map((line) => JSON.parse(line) as Note));
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.#end = once(this.#child, 'close');
    Listener.running.add(this);
  }

  /** Starts it and waits until it is ready. */
  static async start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Listener> {
    const listener = new Listener(args, { DATA_DIR: stage.platform.dataDirectory, ...env });
    await listener.until('ready');
    return listener;
  }

  /** Waits for a note of a type. @throws Error when the command ends before it */
  async until(type: string): Promise<Note> {
    const found = (): Note | undefined => this.notes.find((note) => note.type === type);
    const ended = (): boolean => this.#child.exitCode !== null;
    await until(() => found() !== undefined || ended(), { what: `the note "${type}"` });
    // What it printed last may come after its end.
    if (ended()) await this.#end;
    const note = found();
    if (!note) throw new Error(`It ended with ${this.#child.exitCode} before "${type}": ${JSON.stringify(this.notes)} ${this.stderr}`);
    return note;
  }

  /** Presses Ctrl-C. @returns its exit code and last note */
  async stop(): Promise<{ code: number | null; last: Note | undefined }> {
    this.#child.kill('SIGINT');
    await this.#end;
    Listener.running.delete(this);
    return { code: this.#child.exitCode, last: this.notes.at(-1) };
  }
}

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
}, 60_000);
afterEach(async () => {
  for (const listener of Listener.running) await listener.stop();
});
afterAll(() => stage?.close(), 60_000);

const keyOf = (merchant: Merchant): Record<string, string> => ({ PARCEL_API_KEY: merchant.identity.key });

describe('listening', () => {
  test('brings signed webhooks to a program on this machine, without an endpoint', async () => {
    const owner = await stage.operator.newMerchant();
    const program = await stage.receiver();
    const listener = await Listener.start(['--forward-to', program.url], keyOf(owner));
    const { secret } = await listener.until('ready');
    const poNumber = await weigh(owner);
    const webhook = await program.waitForEvent('parcel.weighed', poNumber);
    expect(WebhookReceiver.verifies(webhook, String(secret))).toBe(true);
    expect(webhook.id).toBe(webhook.body.data.event_id);
    expect(await listener.until('response')).toMatchObject({ event_id: webhook.id, status: 204 });
    const { code, last } = await listener.stop();
    expect([code, last]).toMatchObject([0, { type: 'end', accepted: 1, refused: 0, skipped: 0 }]);
    // The same secret at the next start, so that a program keeps its settings.
    const next = await Listener.start(['--forward-to', program.url], keyOf(owner));
    expect((await next.until('ready')).secret).toBe(secret);
  }, 60_000);

  test('finds platform, certificate and the demo tenant by quickstart.json', async () => {
    const program = await stage.receiver();
    const listener = await Listener.start(['--forward-to', program.url]);
    expect((await listener.until('ready')).secret).toMatch(/^whsec_/);
    expect((await listener.stop()).code).toBe(0);
  });

  test('tells tenants apart, and events that are not asked for', async () => {
    const [owner, other] = [await stage.operator.newMerchant(), await stage.operator.newMerchant()];
    const program = await stage.receiver();
    await Listener.start(['--forward-to', program.url, '--events', 'tracking.changed'], keyOf(owner));
    await weigh(other);
    const { po_number } = await owner.submit();
    await owner.simulate({ po_number, step: 'weigh', photos: 0 });
    await owner.simulate({ po_number, step: 'dispatch' });
    await owner.untilShipped(po_number);
    await owner.simulate({ po_number, step: 'track', admin_status: 'In Transit' });
    await program.waitForEvent('tracking.changed', po_number);
    expect(program.received.map(({ type }) => type)).toEqual(['tracking.changed']);
  }, 60_000);

  test('as an endpoint signs with its secret and heeds its filter', async () => {
    const owner = await stage.operator.newMerchant();
    const [program, registered] = [await stage.receiver(), await stage.receiver()];
    const wanted = await owner.submit({ forecastType: 1 });
    const endpoint = await owner.createEndpoint({ url: registered.url, filter: { po_number: wanted.po_number } });
    const listener = await Listener.start(['--forward-to', program.url, '--endpoint', endpoint.endpoint_id], keyOf(owner));
    expect((await listener.until('ready')).secret).toBeNull();
    await weigh(owner);
    await owner.simulate({ po_number: wanted.po_number, step: 'weigh', photos: 0 });
    const webhook = await program.waitForEvent('parcel.weighed', wanted.po_number);
    expect(WebhookReceiver.verifies(webhook, endpoint.secret)).toBe(true);
    expect(program.received).toHaveLength(1);
    // The endpoint itself gets its own as ever.
    await registered.waitForEvent('parcel.weighed', wanted.po_number);
  }, 60_000);

  test('says that an endpoint does not exist, and ends', async () => {
    const owner = await stage.operator.newMerchant();
    const args = ['--forward-to', 'http://127.0.0.1:9', '--endpoint', 'ep_none'];
    await expect(Listener.start(args, keyOf(owner))).rejects.toThrow(/40403.*webhook list/s);
  });
});
