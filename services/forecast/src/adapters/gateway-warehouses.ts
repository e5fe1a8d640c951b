import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { compileValidator } from '@parcelway/contracts/validator';
import { WarehouseList } from '@parcelway/contracts/warehouse-api';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { WarehouseDirectory } from '../ports.ts';

/** A copy is good for so long; after that it is renewed before it is used. */
const FRESH_MS = 5000;
/** While there is a copy, a gateway that gave none is asked again after so long. */
const RETRY_MS = 1000;
/** While there is a copy, the gateway is asked at most so often in {@link WINDOW_MS}: unknown codes cost no more. */
const MAX_ASKS = 10;
const WINDOW_MS = 1000;
/** Bound on one call. */
const TIMEOUT_MS = 1500;

const listValidator = compileValidator(WarehouseList);

/** What the directory needs. */
export interface GatewayWarehousesOptions {
  readonly client: ServiceClient;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The directory of warehouses over the gateway's internal list. A code that the copy lacks is asked for anew, so that a warehouse
 * can be used as soon as it was added. When the gateway does not answer, the last copy serves
 * however old it is: a submission must not fail because a list that changes twice a year cannot be read.
 */
export function createGatewayWarehouses({ client, environment, clock, logger }: GatewayWarehousesOptions): WarehouseDirectory {
  // One object for all calls: the signer keeps its token.
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'forecast', scopes: [], environment };
  let copy: { readonly codes: ReadonlySet<string>; readonly takenAt: number } | undefined;
  /** Since when no list has come that was asked for. */
  let failedAt = Number.NEGATIVE_INFINITY;
  let windowFrom = Number.NEGATIVE_INFINITY;
  let asksInWindow = 0;
  let running: Promise<void> | undefined;

  /** False also when the clock was set back: how long ago it was cannot be told then. */
  const isWithin = (since: number, ms: number): boolean => clock.now() >= since && clock.now() - since < ms;
  const ask = async (): Promise<void> => {
    const startedAt = clock.now();
    if (!isWithin(windowFrom, WINDOW_MS)) {
      windowFrom = startedAt;
      asksInWindow = 0;
    }
    asksInWindow += 1;
    failedAt = startedAt;
    const data = await client.call<unknown>({
      service: 'gateway',
      method: 'GET',
      path: '/internal/v1/warehouses',
      principal,
      timeoutMs: TIMEOUT_MS,
    });
    if (!listValidator.is(data)) throw AppError.unavailable('The gateway gave no list of warehouses');
    failedAt = Number.NEGATIVE_INFINITY;
    copy = { codes: new Set(data.warehouses.map(({ code }) => code)), takenAt: startedAt };
  };
  const renew = (): Promise<void> => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
  const mayAsk = (): boolean =>
    running !== undefined || !(isWithin(failedAt, RETRY_MS) || (isWithin(windowFrom, WINDOW_MS) && asksInWindow >= MAX_ASKS));
  const renewIfMay = async (): Promise<void> => {
    if (!mayAsk()) return;
    try {
      await renew();
    } catch (error) {
      logger.warn({ err: error }, 'The list of warehouses could not be renewed; the last copy serves');
    }
  };

  return {
    async exists(code) {
      if (copy === undefined) await renewOrRefuse(renew);
      else if (!isWithin(copy.takenAt, FRESH_MS)) await renewIfMay();
      if (copy?.codes.has(code)) return true;
      // Perhaps it was added a moment ago: after the list that is under way was made, too.
      if (running !== undefined) await renewIfMay();
      if (copy?.codes.has(code)) return true;
      await renewIfMay();
      return copy?.codes.has(code) ?? false;
    },
  };
}

/** Without any copy nothing can be said: whatever kept the gateway from answering, the caller is to try again. */
async function renewOrRefuse(renew: () => Promise<void>): Promise<void> {
  try {
    await renew();
  } catch (error) {
    throw AppError.unavailable('The warehouses cannot be looked up now; try again', error);
  }
}
