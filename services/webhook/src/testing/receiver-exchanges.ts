import { setImmediate as nextTurn } from 'node:timers/promises';
import { createUndiciSender } from '../dispatch/adapters/undici-sender.ts';
import { Interruption } from '../dispatch/domain/interruption.ts';
import type { Reply } from '../dispatch/domain/settle.ts';
import type { Sender } from '../dispatch/ports.ts';
import { parseNetworks } from '../endpoints/domain/address-policy.ts';
import { type Receiver, type Responding, startReceiver } from './receiver.ts';

/** What a test has opened; close it after each test. */
export const opened: { close(): Promise<void> }[] = [];

/** A receiver that responds as given, and a sender that may reach it. */
export async function start(
  response: Responding,
): Promise<{ hook: Receiver; sender: Sender; send: (interruption?: Interruption) => Promise<Reply> }> {
  const hook = await startReceiver(response);
  const sender = createUndiciSender({ allowed: parseNetworks(['127.0.0.0/8']), resolve: async () => ['127.0.0.1'], deadlineMs: 5000 });
  opened.push(sender, hook);
  const send = async (interruption = new Interruption()): Promise<Reply> => {
    const reply = await sender.send({ url: hook.url, headers: { 'x-one': '1' }, body: '{}' }, interruption);
    // Undici takes a connection back at the turn's end.
    await nextTurn();
    return reply;
  };
  return { hook, sender, send };
}
