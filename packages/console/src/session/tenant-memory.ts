let holder: string | undefined;
const memories = new Set<{ forget(): void }>();

/** One thing of the tenant that is signed in, in the memory of the page: a reload forgets it, and no other tenant of the same tab gets it. */
export class TenantMemory<Kept> {
  #kept: Kept | undefined;

  constructor() {
    memories.add(this);
  }

  keep(tenantId: string, kept: Kept): void {
    if (tenantId === holder) this.#kept = kept;
  }

  of(tenantId: string): Kept | undefined {
    return tenantId === holder ? this.#kept : undefined;
  }

  forget(): void {
    this.#kept = undefined;
  }
}

export function keepOnlyFor(tenantId: string | undefined): void {
  if (tenantId === holder) return;
  holder = tenantId;
  for (const memory of memories) memory.forget();
}
