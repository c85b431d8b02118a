/** The reference was one page at /docs. Links to its parts lead to the pages that have them now. */
export function openFormerAnchor(): void {
  const anchor = location.hash.slice(1);
  if (anchor === '') return;
  const entry = document.getElementById(anchor);
  const link = entry?.closest('.operations')?.querySelector<HTMLAnchorElement>(`#${entry.id} a`);
  if (link) location.replace(link.href);
  else if (!entry && location.pathname.endsWith('/docs'))
    location.replace(`docs/${/^[A-Z_]+$/.test(anchor) ? 'errors' : 'reference'}#${anchor}`);
}
