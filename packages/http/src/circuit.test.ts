import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { ServiceCircuit } from './circuit.ts';

let circuit: ServiceCircuit;
/** Messages of the log. */
let said: string[];
/** Calls that were made. */
let calls: number;

beforeEach(() => {
  [said, calls] = [[], 0];
  const note = (_fields: unknown, message?: string): void => void said.push(String(message));
  circuit = new ServiceCircuit('forecast', { ...silentLogger, warn: note, info: note });
});
afterEach(() => circuit.close());

const run = (outcome?: Error): Promise<unknown> =>
  circuit.run(async () => {
    calls += 1;
    if (outcome !== undefined) throw outcome;
  });
const failed = (error = new Error('out')): Promise<unknown> => run(error).catch((cause: unknown) => cause);

describe('the circuit of a service', () => {
  test('refuses calls while the service fails, lets one probe, and closes when the service responds', async () => {
    const out = new Error('out');
    for (let call = 0; call < 5; call += 1) expect(await failed(out)).toBe(out);
    for (let call = 0; call < 20; call += 1) expect(await failed(out)).toMatchObject({ code: '50301', retryAfterSeconds: 1 });
    expect([calls, said.length]).toEqual([5, 1]);
    await until(
      async () => {
        await Promise.all([failed(), failed(), failed()]);
        return calls > 5;
      },
      { what: 'a probe' },
    );
    expect(calls).toBe(6);
    await until(
      () =>
        run().then(
          () => true,
          () => false,
        ),
      { what: 'the recovery' },
    );
    circuit.assertClosed();
    expect(said).toHaveLength(2);
  });

  test('stays closed for what a client cancels', async () => {
    for (let call = 0; call < 20; call += 1) await failed(new DOMException('The client has gone', 'AbortError'));
    expect(calls).toBe(20);
  });

  test('stays closed while the service responds to other calls', async () => {
    for (let call = 0; call < 20; call += 1) {
      let fail: (error: Error) => void = () => undefined;
      const slow = circuit.run(() => new Promise((_resolve, reject) => (fail = reject))).catch(() => undefined);
      await run();
      fail(new Error('silent'));
      await slow;
    }
    expect([calls, said]).toEqual([20, []]);
  });
});
