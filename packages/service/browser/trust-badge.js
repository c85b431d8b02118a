/**
 * Shows the badge of a share token where it stands in the page, as a link to the page that verifies it:
 *
 *   <script async src="https://scores.example/trust-badge.js" data-token="st_..."></script>
 *
 * Display only: it reads nothing of the page and tells nobody anything. A token that was withdrawn shows nothing.
 * `data-label` names the badge for who cannot see it.
 */
(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const { token, label = 'Verified reliability record' } = script.dataset;
  if (!token) return;
  const place = encodeURIComponent(token);
  const home = new URL('.', script.src);

  const link = document.createElement('a');
  link.href = new URL(`verify/${place}`, home).href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  const badge = new Image();
  badge.alt = label;
  badge.referrerPolicy = 'no-referrer';
  badge.addEventListener('error', () => link.remove());
  badge.src = new URL(`badge/${place}.svg`, home).href;
  link.append(badge);
  script.after(link);
})();
