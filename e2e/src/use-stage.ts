import { afterAll, beforeAll } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { Stage } from './stage.ts';

type Env = Readonly<Record<string, string>>;

/** Milliseconds that opening or closing may take. What is opened has a shorter deadline of its own, with a better error. */
const LIMIT_MS = 300_000;

/** Closes what the tests of this file have opened and not closed yet, in the order in which it was opened. */
const closers: Array<() => unknown> = [];

/** A stand-in for an object that exists once the tests run. It passes everything on to the object. */
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

/**
 * An object for the tests of a file or of a `describe`: opened before the first of them, closed after the last. Several are closed in reverse order.
 * @param what names the object in errors
 */
export function useOpened<T extends object>(what: string, open: () => Promise<T>, close: (opened: T) => unknown = () => undefined): T {
  let opened: T | undefined;
  let place = Number.POSITIVE_INFINITY;
  beforeAll(async () => {
    const object = await open();
    opened = object;
    place = closers.length;
    closers.push(() => close(object));
  }, LIMIT_MS);
  afterAll(async () => {
    while (closers.length > place) await closers.pop()?.();
  }, LIMIT_MS);
  return later(what, () => opened);
}

/** A stage on a platform of its own, for the tests of a file. @param env further environment variables; a function when they are known only once the tests run */
export function useStage(env: Env | (() => Env) = {}): Stage {
  return useOpened(
    'stage',
    () => Stage.open(typeof env === 'function' ? env() : env),
    (stage) => stage.close(),
  );
}

/** A new merchant of a stage. */
export function useMerchant(stage: Stage, name?: string): Merchant {
  return useOpened('merchant', () => stage.operator.newMerchant(name));
}

/** A new warehouse of a stage, besides its first one. */
export function useWarehouse(stage: Stage): WarehouseClerk {
  return useOpened('warehouse', () => stage.operator.newWarehouse());
}

/** As {@link useStage}, with a merchant of its own. */
export function useStageWithMerchant(env: Env | (() => Env) = {}): { readonly stage: Stage; readonly merchant: Merchant } {
  const stage = useStage(env);
  return { stage, merchant: useMerchant(stage) };
}
