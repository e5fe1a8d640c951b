import { auditedRoutes } from '@parcelway/contracts/audited-routes';
import type { Clock } from '@parcelway/kernel/clock';
import { jsonOf } from '@parcelway/kernel/json-of';
import type { UsageCounter } from '@parcelway/kernel/usage-counter';
import type { AnnouncedCall, CallObserver, TenantCall } from '../proxy/ports.ts';
import type { AuditTrail } from './audit-trail.ts';
import { type AuditEnd, auditEndOf } from './domain/audit-entry.ts';
import { failureContent, keptPath } from './domain/failed-call.ts';
import type { FailedCallLog } from './failed-call-log.ts';
import type { UnknownBudget } from './unknown-budget.ts';

/** A call that takes longer is not noted: an erasure looks for the last data of a tenant 180 s after it has suspended it. */
const MAX_NOTED_SECONDS = 150;

/** Nothing where a proxy responds in front of a service: its page says nothing. */
const parsed = (content: Buffer | undefined): unknown => (content === undefined ? undefined : jsonOf(content.toString('utf8')));

/** What a parameter of the route is in the path. */
function parameterIn(path: string, route: string, parameter: string): string | null {
  const place = route.split('/').indexOf(`{${parameter}}`);
  const value = path.split('/')[place];
  return value === undefined ? null : decodeURIComponent(value);
}

/** The id in `data` of a response. */
function createdIn(content: Buffer | undefined, field: string): string | undefined {
  const data = (parsed(content) as { readonly data?: Readonly<Record<string, unknown>> } | undefined)?.data;
  const id = data?.[field];
  return typeof id === 'string' ? id : undefined;
}

/**
 * Notes every call of a tenant: in the usage, and changes in the audit log, failures in the log of failed calls.
 * @param unknowns bounds what clients leave of changes without a known outcome
 */
export function observeCalls(
  trail: AuditTrail,
  failedCalls: FailedCallLog,
  usage: UsageCounter,
  unknowns: UnknownBudget,
  clock: Clock,
): CallObserver {
  async function open(call: TenantCall, route: NonNullable<TenantCall['route']>): Promise<AnnouncedCall> {
    const { action, type, id } = auditedRoutes[route.id] as (typeof auditedRoutes)[string];
    const place = unknowns.take(call);
    try {
      const entry = await trail.begin({
        tenantId: call.tenantId,
        action,
        actorType: 'key',
        actorId: call.keyId,
        address: call.address,
        ...(call.session !== null && { session: call.session }),
        resourceType: type,
        resourceId: 'parameter' in id ? parameterIn(call.path, route.path, id.parameter) : null,
        requestId: call.requestId,
      });
      const finish = (end: AuditEnd, created?: string): void => {
        if (end !== 'unknown') place.giveBack();
        void entry.end(end, created);
      };
      return {
        end({ status, content, createdId, isRepetition, isPassedOn }) {
          const created = 'created' in id ? (createdId ?? createdIn(content, id.created)) : undefined;
          finish(isPassedOn ? auditEndOf(status, isRepetition) : 'refused', created);
        },
        cancel: () => finish('refused'),
      };
    } catch (error) {
      place.giveBack();
      throw error;
    }
  }

  return {
    announce: (call) => (call.route !== null && call.route.id in auditedRoutes ? open(call, call.route) : undefined),
    ended(call, end) {
      const { tenantId, keyId, requestId, method, route, path } = call;
      // The tenant may have been erased meanwhile.
      if (end.seconds > MAX_NOTED_SECONDS) return;
      usage.add(tenantId, 'calls');
      if (end.status < 400) return;
      usage.add(tenantId, 'failed_calls');
      const isRefusal = end.failure?.code === '42901' || end.failure?.code === '40003';
      if (!failedCalls.hasRoom(tenantId, isRefusal)) return;
      const durationMs = Math.round(end.seconds * 1000);
      const at = clock.now() - durationMs;
      const { status } = end;
      const noted = { tenantId, at, requestId, method, route: route?.path ?? null, path: keptPath(path), status, keyId, durationMs };
      failedCalls.note({ ...noted, ...failureContent(end.failure ?? parsed(end.content)) }, isRefusal);
    },
  };
}
