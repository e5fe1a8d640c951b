import type { ApiResponse } from '@parcelway/harness/api-client';

/** A request as its client saw it. */
export interface RequestRecord {
  /** What was asked, such as `submission`. */
  readonly what: string;
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly ms: number;
  /** Why it counts as failed: no response, or another one than success. */
  readonly failure?: string;
}

/** The innermost reason: `fetch failed` says less than `ECONNRESET`. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown };
  if (cause !== undefined && code === undefined) return reasonOf(cause);
  return code === undefined ? String(message) : `${code} (${message})`;
}

/** A request that failed; it is in the log already. */
export class RequestFailed extends Error {}

/** Every request of a load. None is repeated: what fails once has failed. */
export class RequestLog {
  readonly records: RequestRecord[] = [];

  /** Makes a request that has to succeed. @throws RequestFailed */
  async make<T>(what: string, work: () => Promise<ApiResponse<T>>): Promise<T> {
    const at = performance.now();
    const note = (failure?: string): void => {
      this.records.push({ what, at, ms: performance.now() - at, ...(failure === undefined ? {} : { failure }) });
    };
    let response: ApiResponse<T>;
    try {
      response = await work();
    } catch (error) {
      note(reasonOf(error));
      throw new RequestFailed(what);
    }
    if (response.status < 200 || response.status > 299) {
      note(`${response.status} ${response.code} ${response.message}`);
      throw new RequestFailed(what);
    }
    note();
    return response.data;
  }

  /** Those that were begun within a time. */
  between(from: number, to: number): readonly RequestRecord[] {
    return this.records.filter(({ at }) => at >= from && at < to);
  }
}
