const DEADLINE_MS = 2000;

/** Passes when a URL answers 2xx. */
export async function httpCheck(url: string) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
}
