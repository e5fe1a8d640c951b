import type { NewReport, QueuedReport, QueueStore, StoredPhoto } from './queued-report.ts';

const NAME = 'parcelway-station';
const VERSION = 1;

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException('The transaction was aborted', 'AbortError'));
  });
}

/** Opens the queue of this device. @throws DOMException when the browser keeps nothing, as in some private windows */
export async function openIndexedDbStore(factory: IDBFactory): Promise<QueueStore> {
  const store = new IndexedDbStore(factory);
  await store.open();
  return store;
}

async function openDatabase(factory: IDBFactory): Promise<IDBDatabase> {
  const opening = factory.open(NAME, VERSION);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('reports', { keyPath: 'seq', autoIncrement: true }).createIndex('scope', 'scope');
    opening.result.createObjectStore('photos', { keyPath: 'id' });
  };
  return settled(opening);
}

class IndexedDbStore implements QueueStore {
  readonly #factory: IDBFactory;
  #database: IDBDatabase | undefined;

  constructor(factory: IDBFactory) {
    this.#factory = factory;
  }

  /** The database: opened again after it was closed. */
  async open(): Promise<IDBDatabase> {
    if (this.#database !== undefined) return this.#database;
    const database = await openDatabase(this.#factory);
    // A newer page in another tab may change the layout: this one lets go.
    database.onversionchange = () => this.#forget(database);
    // The browser has closed it, as when its data are cleared.
    database.onclose = () => this.#forget(database);
    this.#database = database;
    return database;
  }

  async list(scope: string): Promise<QueuedReport[]> {
    return this.#use((database) => {
      const reports = database.transaction('reports').objectStore('reports');
      return settled<QueuedReport[]>(reports.index('scope').getAll(scope));
    });
  }

  add(added: readonly NewReport[], contents: readonly StoredPhoto[]): Promise<void> {
    return this.#write((reports, photos) => {
      for (const content of contents) photos.add(content);
      for (const report of added) reports.add(report);
    });
  }

  replace(report: QueuedReport): Promise<void> {
    return this.#write((reports, photos) => {
      const request: IDBRequest<QueuedReport | undefined> = reports.get(report.seq);
      request.onsuccess = () => {
        if (request.result === undefined) return;
        reports.put(report);
        const needed = new Set(report.photos.flatMap(({ id, photoId }) => (photoId === undefined ? [id] : [])));
        for (const { id } of request.result.photos) if (!needed.has(id)) photos.delete(id);
      };
    });
  }

  remove(removed: readonly QueuedReport[]): Promise<void> {
    return this.#write((reports, photos) => {
      for (const report of removed) {
        reports.delete(report.seq);
        for (const { id } of report.photos) photos.delete(id);
      }
    });
  }

  async photo(id: string): Promise<Blob | undefined> {
    return this.#use(async (database) => {
      const photos = database.transaction('photos').objectStore('photos');
      return (await settled<StoredPhoto | undefined>(photos.get(id)))?.content;
    });
  }

  #write(change: (reports: IDBObjectStore, photos: IDBObjectStore) => void): Promise<void> {
    return this.#use((database) => {
      // Strict: what is reported must survive the device losing its power.
      const transaction = database.transaction(['reports', 'photos'], 'readwrite', { durability: 'strict' });
      change(transaction.objectStore('reports'), transaction.objectStore('photos'));
      return committed(transaction);
    });
  }

  /** After a failure the next use opens the database again: a connection that was lost fails forever. */
  async #use<T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> {
    const database = await this.open();
    try {
      return await work(database);
    } catch (error) {
      this.#forget(database);
      throw error;
    }
  }

  #forget(database: IDBDatabase): void {
    database.close();
    if (this.#database === database) this.#database = undefined;
  }
}
