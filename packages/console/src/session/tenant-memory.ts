/** What the page remembers of the tenant that is signed in: a reload forgets it, and no other tenant of the same tab gets it. */
interface Memory {
  /** Address of the list of parcels as it was looked at last. */
  list?: string;
  /** The file that was checked last, so that it can be imported without being chosen again. */
  checked?: { readonly importId: string; readonly file: File };
}

let holder: string | undefined;
let memory: Memory = {};

/** The memory of a tenant. A value that arrives after the sign-out is dropped. */
export const memoryOf = (tenantId: string): Memory => (tenantId === holder ? memory : {});

/** Keeps the memory of one tenant only. @param tenantId undefined after signing out */
export function keepOnlyFor(tenantId: string | undefined): void {
  if (tenantId === holder) return;
  holder = tenantId;
  memory = {};
}
