import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import type { Archive } from '@parcelway/blobs/archive/archive';
import { archiveBatch, readArchived } from '@parcelway/blobs/archive/archive-records';
import { archivedObjects } from '@parcelway/blobs/archive/archive-walk';
import { openDirectoryArchive } from '@parcelway/blobs/archive/directory-archive';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import { silentLogger } from '@parcelway/kernel/logger';
import { DAY_MS } from '../retention/domain/retention.ts';
import type { ExpireOptions } from '../retention/expire-forecasts.ts';
import { createForecastExpiry } from '../retention/forecast-expiry.ts';
import { createTenantRetentions } from '../retention/tenant-retention-store.ts';
import { openStores } from './open-stores.ts';
import { contentOf } from './samples.ts';
import { actionsOn } from './store-under-test.ts';

/** When the turns under test are, unless their clock says otherwise. */
export const NOW = Date.UTC(2026, 10, 26, 12);

/** The retention of forecasts on SQLite, with an archive in a folder; new for each test. */
export class ExpiryUnderTest {
  readonly #directory = mkdtempSync(join(tmpdir(), 'expire-'));
  readonly #stores = openStores();
  readonly #archive: Archive = openDirectoryArchive(this.#directory);
  readonly store = this.#stores.store;
  readonly options: ExpireOptions;
  paces = 0;
  /** Tenants whose parts have begun, in order. */
  readonly reached: string[] = [];
  /** The work as a process has it that goes on from the last place; the place is kept from turn to turn. */
  readonly held: HeldWork;

  constructor() {
    const clock = new ManualClock(NOW);
    const { reached } = this;
    let current = '';
    this.held = {
      get place() {
        return current;
      },
      async reach(place) {
        current = place;
        reached.push(place);
      },
      async renew(place = current) {
        current = place;
      },
      isOver: () => false,
    };
    this.options = {
      expiry: createForecastExpiry(this.#stores.documents, () => clock.now()),
      retentions: createTenantRetentions(this.#stores.documents),
      reader: this.store,
      archive: async (tenantId, forecasts) => {
        const records = forecasts.map(({ record }) => ({ id: record.forecastNo, data: { status: record.status } }));
        await archiveBatch(this.#archive, { tenantId, kind: 'forecasts', records }, clock.now());
      },
      installation: { forecastMs: undefined, fileMs: undefined },
      environment: 'sandbox',
      clock,
      logger: silentLogger,
      notify: () => undefined,
      pace: async () => {
        this.paces += 1;
      },
      held: this.held,
      isErased: () => false,
    };
  }

  async end(tenantId: string, days: number, ...numbers: readonly string[]): Promise<void> {
    const { insert, change } = actionsOn(() => this.store);
    for (const no of numbers) {
      await insert({ no, tenantId, content: contentOf(no) });
      await change(no, { status: 6, updatedAt: NOW - days * DAY_MS }, null, tenantId);
    }
  }

  /** Writes what a tenant has chosen. @param version a later choice has a higher one */
  keep(tenantId: string, forecastDays: number | null, fileDays: number | null = null, version = 1): Promise<void> {
    return createTenantRetentions(this.#stores.documents).record({ tenantId, version, forecastDays, fileDays });
  }

  async left(): Promise<string[]> {
    return this.#stores.db.all<{ no: string }>('SELECT forecastNo AS no FROM forecasts ORDER BY n').map(({ no }) => no);
  }

  /** Takes the messages that wait: type, tenant, and number. */
  async published(): Promise<string[]> {
    const waiting = await this.#stores.log.lease(1000);
    await this.#stores.log.remove(waiting.map(({ id }) => id));
    return waiting.map(({ value }) => {
      const event = decodeEvent(value);
      return `${event.type} ${event.tenantid} ${event.subject}`;
    });
  }

  /** Tenants and numbers of the archived forecasts, sorted. */
  async archived(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { path, tenantId } of archivedObjects(this.#archive, {})) {
      for (const { id } of (await readArchived(this.#archive, path)) ?? []) ids.push(`${tenantId} ${id}`);
    }
    return ids.sort();
  }

  close(): void {
    this.#stores.db.close();
    rmSync(this.#directory, { recursive: true });
  }
}

/** Makes one for each test of a file. @returns that of the test under way */
export function useExpiry(): () => ExpiryUnderTest {
  let open: ExpiryUnderTest;
  beforeEach(() => {
    open = new ExpiryUnderTest();
  });
  afterEach(() => open.close());
  return () => open;
}
