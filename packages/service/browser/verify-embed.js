/**
 * Both ends of the hosted pages in a frame. On a platform's website it opens a confirmation or reference link in a modal window:
 *
 *   ReliabilityVerify.open({ url: confirmUrl, onResult: (result) => { ... } });
 *
 * and tells how that ended: 'confirmed', 'declined' or 'dismissed', once. On the hosted page itself it tells the website that
 * opened it, and nobody else. What counts is what the API says: a result here is for what the website shows next.
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
   * In the frame.
   * @param {string} origin the one website that hears it
   * @param {string | undefined} result how the request stands, where it is answered
   */
  function reportTo(origin, result) {
    if (window.parent === window) return;
    /** @param {string} heard */
    const tell = (heard) => window.parent.postMessage({ name: NAME, result: heard }, origin);
    if (result) tell(result);
    // A key pressed in a frame is not heard outside of it.
    window.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') tell('dismissed');
    });
  }

  /**
   * On the website.
   * @param {URL} home where the service is, as this script came from there
   */
  function openFrom(home) {
    /** @param {{ url: string, onResult?: (result: string) => void, title?: string }} options */
    return ({ url, onResult = () => {}, title = 'Confirmation' }) => {
      const { dialog, frame, remove } = windowFor(framedAddress(home, url), title);
      const before = document.activeElement;
      let isTold = false;

      /** @param {string} result */
      const tell = (result) => {
        if (isTold) return;
        isTold = true;
        onResult(result);
      };
      /** @param {MessageEvent} event */
      const hear = (event) => {
        if (event.source !== frame.contentWindow || event.origin !== home.origin) return;
        const { name, result } = event.data ?? {};
        if (name !== NAME || !results.includes(result)) return;
        if (result === 'dismissed') dialog.close();
        else tell(result);
      };

      window.addEventListener('message', hear);
      dialog.addEventListener('close', () => {
        window.removeEventListener('message', hear);
        remove();
        if (before instanceof HTMLElement) before.focus();
        tell('dismissed');
      });
      dialog.showModal();
      frame.focus();
      return { close: () => dialog.close() };
    };
  }

  /**
   * The link, asked for by this website. Throws where it is none of this service's.
   * @param {URL} home
   * @param {string} url
   */
  function framedAddress(home, url) {
    const address = new URL(url);
    const place = address.href.startsWith(home.href) ? address.href.slice(home.href.length) : '';
    if (!/^(confirm|reference)\/[^/]+$/.test(place.split('?')[0] ?? ''))
      throw new TypeError(`This is no confirmation or reference link of ${home.href}`);
    address.searchParams.set('embed', '1');
    address.searchParams.set('origin', window.location.origin);
    return address.href;
  }

  /**
   * A modal window around the page, out of reach of the website's own style.
   * @param {string} address
   * @param {string} title
   */
  function windowFor(address, title) {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', title);
    dialog.setAttribute('aria-modal', 'true');
    const frame = document.createElement('iframe');
    // The frame needs its origin: by it alone can both ends make sure who speaks. It is not the website's own, and nothing is stored under it.
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
    // A sheet made here is allowed under a policy that forbids styles in the page.
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
