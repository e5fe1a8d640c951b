import { ApiFailure, dataOf } from '@parcelway/page/api/failure';

/** What a browser shows as a page to print. */
const PRINTABLE = /^(application\/pdf|image\/(png|jpeg|webp|gif|bmp))\s*(;|$)/i;

/**
 * Fetches a document, to be printed.
 * @throws ApiFailure when it did not come: with the code of the platform, `offline`, `timeout`, or `unreadable` for anything else than a
 * document, such as a page of a proxy
 */
export async function printable(url: string, deadlineMs: number): Promise<Blob> {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(url, { signal: deadline, credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (response.ok && PRINTABLE.test(response.headers.get('content-type') ?? '')) return await response.blob();
    throw refusalIn(response, await response.text());
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    throw new ApiFailure(deadline.aborted ? 'timeout' : 'offline', { detail: (error as Error).message });
  }
}

function refusalIn({ headers }: Response, text: string): ApiFailure {
  try {
    const envelope: unknown = JSON.parse(text);
    dataOf({ envelope, retryAfter: headers.get('retry-after'), requestId: headers.get('x-request-id') });
  } catch (error) {
    if (error instanceof ApiFailure) return error;
  }
  return new ApiFailure('unreadable');
}
