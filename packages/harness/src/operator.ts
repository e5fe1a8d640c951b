import type { IssuedKey, Tenant } from '@parcelway/contracts/admin-api';
import { type Scope, tenantScopes } from '@parcelway/contracts/scopes';
import type { ApiClient } from './api-client.ts';
import { Merchant, newPoNumber } from './merchant.ts';
import type { PlatformProcess } from './platform-process.ts';
import { WarehouseClerk } from './warehouse.ts';

/** How a key is to be. */
export interface KeyWish {
  readonly scopes?: readonly Scope[];
  readonly rate_limit?: 'off' | { readonly per_second: number; readonly burst: number };
}

/** The operator of a platform: adds merchants and warehouses, issues and revokes keys, by the operator's API. */
export class Operator {
  readonly admin: ApiClient;
  readonly #platform: PlatformProcess;

  constructor(platform: PlatformProcess) {
    this.#platform = platform;
    this.admin = platform.admin();
  }

  /** A key with every scope and without rate limit unless wished otherwise. */
  issueKey(holder: { readonly tenant_id: string } | { readonly warehouse_code: string }, wish: KeyWish = {}): Promise<IssuedKey> {
    const scopes = 'tenant_id' in holder ? { scopes: tenantScopes } : {};
    return this.admin.expectOk<IssuedKey>('/admin/v1/keys', { body: { rate_limit: 'off', ...scopes, ...holder, ...wish } });
  }

  revokeKey(keyId: string): Promise<Record<string, unknown>> {
    return this.admin.expectOk(`/admin/v1/keys/${keyId}/revoke`, { method: 'POST' });
  }

  /** Another key for a merchant, as a merchant of its own. */
  async withKey(merchant: Merchant, wish: KeyWish = {}): Promise<Merchant> {
    const issued = await this.issueKey({ tenant_id: merchant.identity.tenantId }, wish);
    return new Merchant(this.#platform.client(issued.key), { ...merchant.identity, keyId: issued.key_id, key: issued.key });
  }

  /** A new tenant with one key. */
  async newMerchant(name = newPoNumber('Merchant'), wish: KeyWish = {}): Promise<Merchant> {
    const tenant = await this.admin.expectOk<Tenant>('/admin/v1/tenants', { body: { name } });
    const issued = await this.issueKey({ tenant_id: tenant.id }, wish);
    const identity = {
      tenantId: tenant.id,
      keyId: issued.key_id,
      key: issued.key,
      warehouseCode: this.#platform.quickstart.warehouse.code,
    };
    return new Merchant(this.#platform.client(issued.key), identity);
  }

  /** A warehouse with a key without rate limit; default that of the first start, to which the parcels of new merchants go. */
  async clerk(code: string = this.#platform.quickstart.warehouse.code): Promise<WarehouseClerk> {
    const issued = await this.issueKey({ warehouse_code: code });
    return new WarehouseClerk(this.#platform.client(issued.key), code);
  }

  /** A new warehouse with a key. */
  async newWarehouse(): Promise<WarehouseClerk> {
    const code = newPoNumber('WH').slice(0, 32);
    await this.admin.expectOk('/admin/v1/warehouses', { body: { code, name: `Warehouse ${code}` } });
    return this.clerk(code);
  }
}
