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
/** While there is a copy, the gateway is asked at most this often: unknown codes and a silent gateway cost no more. */
const MIN_INTERVAL_MS = 1000;
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
 * The directory of warehouses over the gateway's internal list. When the gateway does not answer, the last copy serves
 * however old it is: a submission must not fail because a list that changes twice a year cannot be read.
 */
export function createGatewayWarehouses({ client, environment, clock, logger }: GatewayWarehousesOptions): WarehouseDirectory {
  // One object for all calls: the signer keeps its token.
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'forecast', scopes: [], environment };
  let copy: { readonly codes: ReadonlySet<string>; readonly takenAt: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    const startedAt = clock.now();
    askedAt = startedAt;
    const data = await client.call<unknown>({
      service: 'gateway',
      method: 'GET',
      path: '/internal/v1/warehouses',
      principal,
      timeoutMs: TIMEOUT_MS,
    });
    if (!listValidator.is(data)) throw AppError.unavailable('The gateway gave no list of warehouses');
    copy = { codes: new Set(data.warehouses.map(({ code }) => code)), takenAt: startedAt };
  };
  const renew = (): Promise<void> => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
  /** False also when the clock was set back: how long ago it was cannot be told then. */
  const isWithin = (since: number, ms: number): boolean => clock.now() >= since && clock.now() - since < ms;
  const renewIfDue = async (): Promise<void> => {
    if (running === undefined && isWithin(askedAt, MIN_INTERVAL_MS)) return;
    try {
      await renew();
    } catch (error) {
      logger.warn({ err: error }, 'The list of warehouses could not be renewed; the last copy serves');
    }
  };

  return {
    async exists(code) {
      if (copy === undefined) await renewOrRefuse(renew);
      else if (!isWithin(copy.takenAt, FRESH_MS)) await renewIfDue();
      if (copy?.codes.has(code)) return true;
      // Perhaps it was added a moment ago.
      await renewIfDue();
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
