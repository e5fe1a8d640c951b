import { afterAll, beforeAll } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import { Stage } from './stage.ts';

const LIMIT_MS = 60_000;

/** Stands for an object that exists once the tests run: passes everything on to it. */
function later<T extends object>(what: string, get: () => T | undefined): T {
  const opened = (): T => {
    const object = get();
    if (object === undefined) throw new Error(`The ${what} exists in tests and hooks only`);
    return object;
  };
  return new Proxy({} as T, {
    get(_target, key) {
      const object = opened();
      const value: unknown = Reflect.get(object, key);
      // Bound to the object itself: its private fields are not on the proxy.
      return typeof value === 'function' ? value.bind(object) : value;
    },
    set: (_target, key, value) => Reflect.set(opened(), key, value),
    has: (_target, key) => Reflect.has(opened(), key),
  });
}

/** A stage for the tests of a file: open before the first of them, closed after the last. @param env further environment variables */
export function useStage(env: Readonly<Record<string, string>> = {}): Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await Stage.open(env);
  }, LIMIT_MS);
  afterAll(() => stage?.close(), LIMIT_MS);
  return later('stage', () => stage);
}

/** As {@link useStage}, with a merchant of its own. */
export function useStageWithMerchant(env: Readonly<Record<string, string>> = {}): { readonly stage: Stage; readonly merchant: Merchant } {
  const stage = useStage(env);
  let merchant: Merchant | undefined;
  beforeAll(async () => {
    merchant = await stage.operator.newMerchant();
  }, LIMIT_MS);
  return { stage, merchant: later('merchant', () => merchant) };
}
