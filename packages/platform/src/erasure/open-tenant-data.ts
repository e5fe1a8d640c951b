import type { Bus, EventHandlers, EventOf } from '@parcelway/bus/bus';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { principalOf } from '@parcelway/http/app';
import { tenantDataRoutes } from '@parcelway/http/tenant-data-routes';
import { AppError } from '@parcelway/kernel/app-error';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { Platform } from '../service.ts';
import { ErasedTenants } from './erased-tenants.ts';

type Router = Parameters<typeof tenantDataRoutes>[0];

/** Handlers that drop events of erased tenants. They count as finished. */
export function handlersWithoutErased(handlers: EventHandlers, isErased: (tenantId: string) => boolean): EventHandlers {
  const kept = Object.entries(handlers).map(([type, handle]) => {
    const handleKept = async (event: EventOf<DomainEventType>): Promise<void> => {
      if (!isErased(event.tenantid)) await (handle as (event: EventOf<DomainEventType>) => Promise<void>)(event);
    };
    return [type, handleKept] as const;
  });
  return Object.fromEntries(kept) as EventHandlers;
}

/** A bus that drops events of erased tenants. They count as finished. */
export function withoutErased(bus: Bus, isErased: (tenantId: string) => boolean): Bus {
  return {
    ...bus,
    subscribe: (group, handlers, options) => bus.subscribe(group, handlersWithoutErased(handlers, isErased), options),
    subscribeBatch(group, types, handle, options) {
      const handleKept: typeof handle = async (events) => {
        const kept = events.filter(({ tenantid }) => !isErased(tenantid));
        if (kept.length > 0) await handle(kept);
      };
      return bus.subscribeBatch(group, types, handleKept, options);
    },
  };
}

/** Opens the part of a service in exports and erasures of tenants. @param data over the stores of the service */
export function openTenantData(platform: Platform, service: ServiceName, data: TenantData) {
  const { clock } = platform;
  const erased = new ErasedTenants({ store: data.erased, clock, logger: platform.logger.child({ service }) });
  const isErased = (tenantId: string): boolean => erased.has(tenantId);
  return {
    /** As that of the platform, but facts of erased tenants do not reach the handlers. */
    bus: withoutErased(platform.bus, isErased),
    /** Add it before every other route: calls of an erased tenant are refused with 40302. */
    routes(router: Router): void {
      router.use((req, _res, next) => {
        const { tenantId } = principalOf(req);
        if (tenantId !== null && isErased(tenantId)) throw new AppError('40302', 'The data of the tenant was erased');
        next();
      });
      tenantDataRoutes(router, { data, remember: (tenantId) => erased.remember(tenantId) });
    },
    isErased,
    /** Call it before anything is consumed. @throws AppError 50301 */
    start: () => erased.start(),
    stop: () => erased.stop(),
  };
}

/** The part of a service in exports and erasures of tenants. */
export type OpenTenantData = ReturnType<typeof openTenantData>;
