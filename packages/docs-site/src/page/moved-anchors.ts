/**
 * Leads on from an address of a guide that was one page: its sections are pages now. Without script, the anchor leads to the entry of the
 * list that links them.
 */
export function followMovedAnchor(): void {
  const anchor = decodeURIComponent(location.hash.slice(1));
  const entry = anchor === '' ? null : document.getElementById(anchor);
  if (entry === null || entry.closest('.contents') === null) return;
  const link = entry.querySelector('a');
  if (link !== null) location.replace(link.href);
}
