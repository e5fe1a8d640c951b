/** Whose things the page keeps in its memory; undefined while nobody has signed in. */
let holder: string | undefined;
const memories = new Set<{ forget(): void }>();

/** One thing of the tenant that is signed in, in the memory of the page: a reload forgets it, and no other tenant of the same tab gets it. */
export class TenantMemory<Kept> {
  #kept: Kept | undefined;

  constructor() {
    memories.add(this);
  }

  /** Keeps a thing, and forgets the one before. What comes for a tenant that is not signed in any more is not kept. */
  keep(tenantId: string, kept: Kept): void {
    if (tenantId === holder) this.#kept = kept;
  }

  /** The thing that is kept for a tenant; undefined for none. */
  of(tenantId: string): Kept | undefined {
    return tenantId === holder ? this.#kept : undefined;
  }

  forget(): void {
    this.#kept = undefined;
  }
}

/** Keeps the memory of one tenant only, and forgets all others. @param tenantId undefined after signing out */
export function keepOnlyFor(tenantId: string | undefined): void {
  if (tenantId === holder) return;
  holder = tenantId;
  for (const memory of memories) memory.forget();
}
