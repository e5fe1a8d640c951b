const DEADLINE_MS = 2000;

/** Passes when a URL responds 2xx. */
export async function httpCheck(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} responds with ${response.status}`);
}
