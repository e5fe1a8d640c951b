import { AppError } from '@parcelway/kernel/app-error';
import type { Store } from '@parcelway/store/store';

const WRITES = new Set<keyof Store>(['apply', 'change', 'claimDue', 'deleteRange']);

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** A store whose operations go through a function. @param call makes the operation when it calls `work` */
export function throughStore(
  store: Store,
  call: (name: keyof Store, work: () => Promise<unknown>, given: readonly unknown[]) => Promise<unknown>,
): Store {
  return new Proxy(store, {
    get(target, name) {
      const method = (Reflect.get(target, name) as Method).bind(target);
      return name === 'placeIn' ? method : (...given: readonly unknown[]) => call(name as keyof Store, () => method(...given), given);
    },
  });
}

/**
 * The store as a process sees it that dies: after `writes` others it begins one more, of which it learns nothing, and then no other operation.
 * @param takesPlace whether that last write reaches the database
 */
export function dyingAfter(store: Store, writes: number, takesPlace: boolean): Store {
  let begun = 0;
  return throughStore(store, async (name, work) => {
    if (begun <= writes && WRITES.has(name)) begun += 1;
    else if (begun <= writes) return work();
    else throw AppError.unavailable('The process has died');
    if (begun <= writes) return work();
    if (takesPlace) await work();
    throw AppError.unavailable('The process has died');
  });
}

/** A store that does something else around its next write. @param around makes the write when it calls `work` */
export function interrupting(store: Store, around: (work: () => Promise<unknown>) => Promise<unknown>): Store {
  let isNext = true;
  return throughStore(store, (name, work) => {
    if (!isNext || !WRITES.has(name)) return work();
    isNext = false;
    return around(work);
  });
}
