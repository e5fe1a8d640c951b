/** Why imports stop: because of a key, or of their whole tenant. Instants are epoch milliseconds. */
export interface ImportStop {
  readonly tenantId: string;
  /** Id of the API key that was revoked; null when the tenant was suspended. */
  readonly keyId: string | null;
  readonly at: number;
}

/** Requests pass for so long after a suspension: the clocks of processes differ, and a gateway believes a key for 5 seconds. */
const PASSES_MS = 10_000;

/**
 * True when the stop ends an import, or keeps it from beginning. A revoked key never comes back, but a suspended tenant may: what it begins later goes on.
 * @param job `createdAt` is the arrival of its request
 */
export function concerns(stop: ImportStop, job: { readonly keyId: string; readonly createdAt: number }): boolean {
  return stop.keyId === null ? job.createdAt <= stop.at + PASSES_MS : job.keyId === stop.keyId;
}

const MESSAGES = {
  key: {
    code: '40003',
    running: 'The import was stopped because the API key that began it was revoked. Import the remaining rows with another key',
    upload: 'The API key was revoked during the upload, and nothing was imported. Upload the file with another key',
  },
  tenant: {
    code: '40302',
    running: 'The import was stopped because the tenant was suspended. Import the remaining rows once it has been resumed',
    upload:
      'The tenant was suspended during the upload, and nothing was imported. Upload the file again some seconds after it has been resumed',
  },
} as const;

/** The error that the import shows, with the code that requests of the key or tenant get. @param what a running import, or an upload that does not begin one */
export function reasonOf({ keyId }: ImportStop, what: 'running' | 'upload') {
  const { code, [what]: message } = MESSAGES[keyId === null ? 'tenant' : 'key'];
  return { code, message };
}
