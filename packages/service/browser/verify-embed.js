/**
 * Embeds hosted pages. On a platform's website it opens a confirmation or reference link in a modal window:
 *
 *   ReliabilityVerify.open({ url: confirmUrl, onResult: (result) => { ... } });
 *
 * and calls `onResult` once, with 'confirmed', 'declined' or 'dismissed'. On the hosted page itself it sends the result to the
 * website that opened it and to no other. Use the result only for display: the API has the authoritative status.
 */
(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const NAME = 'reliability-verify';
  const results = ['confirmed', 'declined', 'dismissed'];

  const { opener, result } = script.dataset;
  if (opener) reportTo(opener, result);
  else
    Object.assign(window, { ReliabilityVerify: Object.freeze({ open: openFrom(new URL('.', script.src)) }) });

  /**
   * In the frame: sends the result to the opening website.
   * @param {string} origin the only receiver
   * @param {string | undefined} result the result, if the request is answered
   */
  function reportTo(origin, result) {
    if (window.parent === window) return;
    /** @param {string} sent */
    const send = (sent) => window.parent.postMessage({ name: NAME, result: sent }, origin);
    if (result) send(result);
    // Key events in a frame do not reach the page around it.
    window.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') send('dismissed');
    });
  }

  /**
   * On the website: the function `open`.
   * @param {URL} service the address of the service, from which this script was loaded
   */
  function openFrom(service) {
    /** @param {{ url: string, onResult?: (result: string) => void, title?: string }} options */
    return ({ url, onResult = () => {}, title = 'Confirmation' }) => {
      const { dialog, frame, remove } = windowFor(framedAddress(service, url), title);
      const before = document.activeElement;
      let isReported = false;

      /** @param {string} result */
      const report = (result) => {
        if (isReported) return;
        isReported = true;
        onResult(result);
      };
      /** @param {MessageEvent} event */
      const receive = (event) => {
        if (event.source !== frame.contentWindow || event.origin !== service.origin) return;
        const { name, result } = event.data ?? {};
        if (name !== NAME || !results.includes(result)) return;
        if (result === 'dismissed') dialog.close();
        else report(result);
      };

      window.addEventListener('message', receive);
      dialog.addEventListener('close', () => {
        window.removeEventListener('message', receive);
        remove();
        if (before instanceof HTMLElement) before.focus();
        report('dismissed');
      });
      dialog.showModal();
      frame.focus();
      return { close: () => dialog.close() };
    };
  }

  /**
   * Adds this website's origin to the link. Throws if the link is not one of this service.
   * @param {URL} service
   * @param {string} url
   */
  function framedAddress(service, url) {
    const address = new URL(url);
    const path = address.href.startsWith(service.href) ? address.href.slice(service.href.length) : '';
    if (!/^(confirm|reference)\/[^/]+$/.test(path.split('?')[0] ?? ''))
      throw new TypeError(
        `Not a confirmation or reference link of ${service.href}: ${address.origin}${address.pathname}`,
      );
    address.searchParams.set('embed', '1');
    address.searchParams.set('origin', window.location.origin);
    return address.href;
  }

  /**
   * Creates a modal window for the page, in a shadow root that the website's style cannot reach.
   * @param {string} address
   * @param {string} title
   */
  function windowFor(address, title) {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', title);
    dialog.setAttribute('aria-modal', 'true');
    const frame = document.createElement('iframe');
    // allow-same-origin: both sides check the origin of messages. The origin differs from the website's and stores nothing.
    frame.setAttribute('sandbox', 'allow-forms allow-scripts allow-same-origin');
    frame.referrerPolicy = 'no-referrer';
    frame.title = title;
    frame.src = address;
    const close = document.createElement('button');
    close.type = 'button';
    close.setAttribute('aria-label', document.documentElement.lang.startsWith('de') ? 'Schließen' : 'Close');
    close.addEventListener('click', () => dialog.close());
    dialog.append(close, frame);

    const host = document.createElement('div');
    const shadow = host.attachShadow({ mode: 'open' });
    // A constructed stylesheet also works under a policy that forbids inline styles.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    shadow.adoptedStyleSheets = [sheet];
    shadow.append(dialog);
    document.body.append(host);
    return { dialog, frame, remove: () => host.remove() };
  }

  const css = `
    :host { all: initial; }
    dialog {
      position: fixed; inset: 0; margin: auto; padding: 0; border: 0; border-radius: 12px; overflow: hidden; background: #f6f5f1;
      width: min(42rem, 100vw - 2rem); height: min(56rem, 100dvh - 2rem); max-width: none; max-height: none;
      box-shadow: 0 24px 64px rgb(0 0 0 / .35);
    }
    dialog::backdrop { background: rgb(16 20 24 / .6); }
    iframe { display: block; width: 100%; height: 100%; border: 0; }
    button {
      position: absolute; top: 10px; right: 10px; width: 44px; height: 44px; padding: 0; border: 0; border-radius: 50%; cursor: pointer;
      background: rgb(127 127 127 / .14); color: #22262b;
    }
    button::before {
      content: ''; position: absolute; inset: 13px; background: currentColor;
      clip-path: polygon(8% 0, 50% 42%, 92% 0, 100% 8%, 58% 50%, 100% 92%, 92% 100%, 50% 58%, 8% 100%, 0 92%, 42% 50%, 0 8%);
    }
    button:hover { background: rgb(127 127 127 / .28); }
    button:focus-visible { outline: 3px solid #125b66; outline-offset: 2px; }
    @media (max-width: 40rem) {
      dialog { width: 100vw; height: 100dvh; border-radius: 0; }
    }
    @media (prefers-color-scheme: dark) {
      dialog { background: #14171a; outline: 1px solid #454c54; }
      button { color: #e3e5e8; }
      button:focus-visible { outline-color: #85cad4; }
    }
    @media (forced-colors: active) {
      dialog { border: 1px solid; }
      button { border: 1px solid; }
      button::before { background: CanvasText; forced-color-adjust: none; }
    }
  `;
})();
