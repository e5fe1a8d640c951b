import { beforeAll, expect, test } from '@jest/globals';
import type { QueueStore } from './queued-report.ts';

/** What the module has; it is loaded by its name alone, because tests are compiled without the types of a browser. */
interface StoreModule {
  openIndexedDbStore(factory: object): Promise<QueueStore>;
}
const name: string = './indexed-db-store.ts';
let openIndexedDbStore: StoreModule['openIndexedDbStore'];
beforeAll(async () => {
  ({ openIndexedDbStore } = (await import(name)) as StoreModule);
});

function requestOf<T>(result: T): object {
  const request = { result, onsuccess: null as (() => void) | null };
  queueMicrotask(() => request.onsuccess?.());
  return request;
}

class Connection {
  onversionchange: (() => void) | null = null;
  onclose: (() => void) | null = null;
  isClosed = false;
  /** True for one whose server has gone: it fails without being closed. */
  isLost = false;

  close(): void {
    this.isClosed = true;
  }

  transaction(): unknown {
    if (this.isClosed || this.isLost) throw new DOMException('The database connection is closing', 'InvalidStateError');
    return { objectStore: () => ({ index: () => ({ getAll: () => requestOf([]) }) }) };
  }
}

async function opened() {
  const connections: Connection[] = [];
  const factory = {
    open() {
      const connection = new Connection();
      connections.push(connection);
      return requestOf(connection);
    },
  };
  return { store: await openIndexedDbStore(factory), connections };
}

test('lets go for a newer page, and opens the database again when it is needed', async () => {
  const { store, connections } = await opened();
  connections[0]?.onversionchange?.();
  expect(connections[0]?.isClosed).toBe(true);
  expect(await store.list('sandbox:SZ01')).toEqual([]);
  expect(connections).toHaveLength(2);
});

test('opens the database again after the browser has closed it', async () => {
  const { store, connections } = await opened();
  connections[0]?.onclose?.();
  await store.list('sandbox:SZ01');
  await store.list('sandbox:SZ01');
  expect(connections).toHaveLength(2);
});

test('a connection that fails is opened again', async () => {
  const { store, connections } = await opened();
  for (const connection of connections) connection.isLost = true;
  await expect(store.list('sandbox:SZ01')).rejects.toThrow(DOMException);
  expect(await store.list('sandbox:SZ01')).toEqual([]);
  expect(connections.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});
