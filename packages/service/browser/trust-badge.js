/**
 * Shows the badge of a share token at the position of the script, as a link to the page that verifies it:
 *
 *   <script async src="https://scores.example/trust-badge.js" data-token="st_..."></script>
 *
 * Display only: it does not read the page or report anything. A withdrawn token shows nothing. `data-label` is the text for screen
 * readers.
 */
(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const { token, label = 'Verified reliability record' } = script.dataset;
  if (!token) return;
  const segment = encodeURIComponent(token);
  const service = new URL('.', script.src);

  const link = document.createElement('a');
  link.href = new URL(`verify/${segment}`, service).href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  const badge = new Image();
  badge.alt = label;
  badge.referrerPolicy = 'no-referrer';
  badge.addEventListener('error', () => link.remove());
  badge.src = new URL(`badge/${segment}.svg`, service).href;
  link.append(badge);
  script.after(link);
})();
