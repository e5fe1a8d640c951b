// The routes of the operator's API, read from the roles that the gateway checks and the schemas that it validates.
import { FailedCallsQuery, UsageQuery } from '@parcelway/contracts/activity-api';
import {
  DeadLetterQuery,
  DiscardRequest,
  KeyIssue,
  KeyListQuery,
  OperatorKeyChange,
  RedriveRequest,
  RetentionChange,
  TenantCreation,
  TenantListQuery,
  TenantRenaming,
  WarehouseCreation,
  WarehouseRenaming,
} from '@parcelway/contracts/admin-api';
import { ConsoleLinkCreation } from '@parcelway/contracts/console-api';
import { NumberLimit } from '@parcelway/contracts/declared-numbers-api';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { KeyRotation } from '@parcelway/contracts/key-api';
import { OperatorAuditQuery } from '@parcelway/contracts/operator-activity-api';
import { OperatorCreation } from '@parcelway/contracts/operator-api';
import { OperatorConnection, OperatorConnectionChange } from '@parcelway/contracts/operator-connection-api';
import { ParcelSearchQuery } from '@parcelway/contracts/parcel-search-api';
import { TenantExportQuery } from '@parcelway/contracts/tenant-data-api';
import { ResolutionQuery } from '@parcelway/contracts/unclaimed-api';
import { UnclaimedQuery } from '@parcelway/contracts/warehouse-api';
import { adminRoutes } from '@parcelway/service-gateway/admin-routes';
import { code, table } from './markdown.ts';

type AdminRoute = keyof typeof adminRoutes;

/** Body of a route, of a GET its query. A route that is not here takes nothing, or what the route that it passes the call on to takes. */
export const adminSchemas: Readonly<Partial<Record<AdminRoute, object>>> = {
  'GET /admin/v1/audit-log': OperatorAuditQuery,
  'POST /admin/v1/operators': OperatorCreation,
  'GET /admin/v1/tenants': TenantListQuery,
  'POST /admin/v1/tenants': TenantCreation,
  'PATCH /admin/v1/tenants/:id': TenantRenaming,
  'GET /admin/v1/tenants/:id/usage': UsageQuery,
  'GET /admin/v1/tenants/:id/requests': FailedCallsQuery,
  'POST /admin/v1/tenants/:id/console-links': ConsoleLinkCreation,
  'PATCH /admin/v1/tenants/:id/retention': RetentionChange,
  'PATCH /admin/v1/tenants/:id/declared-numbers': NumberLimit,
  'GET /admin/v1/tenants/:id/export/:service/:kind': TenantExportQuery,
  'GET /admin/v1/keys': KeyListQuery,
  'POST /admin/v1/keys': KeyIssue,
  'PATCH /admin/v1/keys/:keyId': OperatorKeyChange,
  'POST /admin/v1/keys/:keyId/rotate': KeyRotation,
  'POST /admin/v1/warehouses': WarehouseCreation,
  'PATCH /admin/v1/warehouses/:code': WarehouseRenaming,
  'GET /admin/v1/unclaimed': UnclaimedQuery,
  'GET /admin/v1/resolutions': ResolutionQuery,
  'GET /admin/v1/parcels': ParcelSearchQuery,
  'GET /admin/v1/dead-letters': DeadLetterQuery,
  'POST /admin/v1/dead-letters/redrive': RedriveRequest,
  'POST /admin/v1/dead-letters/discard': DiscardRequest,
  'POST /admin/v1/carrier-connections': OperatorConnection,
  'PATCH /admin/v1/carrier-connections/:connection_id': OperatorConnectionChange,
};

/** What a route takes that responds as the route of a merchant or a warehouse does. */
function passedOn(route: string): string {
  if (route.includes('/webhook-endpoints')) return "as the merchant's";
  return /\/warehouses\/:code\/(unclaimed|events|lookup)/.test(route) ? "as the warehouse's" : '';
}

function fieldsOf(route: AdminRoute): string {
  const { properties, required = [] } = (adminSchemas[route] ?? {}) as JsonSchema;
  if (properties === undefined) return passedOn(route);
  return Object.keys(properties)
    .map((name) => code(required.includes(name) ? name : `${name}?`))
    .join(', ');
}

/** Routes with the role that each needs and the fields that it takes. */
export const adminRouteTable = (): string =>
  table(
    ['Route', 'Role', 'Fields'],
    Object.entries(adminRoutes).map(([route, { role }]) => [
      code(route.replace(':keyId', '{key_id}').replace(/:([a-z_]+)/g, '{$1}')),
      role,
      fieldsOf(route as AdminRoute),
    ]),
  );
