/**
 * Leads on from addresses of former pages. A guide that was one page has a page for each section now: without script, the anchor leads to
 * the entry of the list that links it. Swagger UI was at the address of the start page; its anchors begin with a slash.
 */
export function followMovedAnchor(): void {
  // Anchors are plain ASCII.
  const anchor = location.hash.slice(1);
  if (anchor.startsWith('/')) {
    location.replace(`${document.documentElement.dataset['root'] ?? ''}docs/openapi${location.hash}`);
    return;
  }
  const entry = anchor === '' ? null : document.getElementById(anchor);
  if (entry === null || entry.closest('.contents') === null) return;
  const link = entry.querySelector('a');
  if (link !== null) location.replace(link.href);
}
