import { renderSVG } from 'uqr';
import { fill } from '#domain/fill.js';
import { fillHtml, Html, html } from '#kit/html.js';
import type { ShownOffer } from '../../features/sharing/wallets/offers.js';
import { plainPage } from '../hosted/endPages.js';
import { momentElement } from '../hosted/formats.js';
import { tick } from '../hosted/icons.js';
import type { HostedPage } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import { bidiIsolate, type Texts } from '../texts/texts.js';

/** The page on which a person takes an offered credential into a wallet. */
export function offerPage(shown: ShownOffer, texts: Texts): HostedPage {
  const { offer } = texts;
  const { offerId, credentialType, expiresAt, secondsLeft, link, needsTxCode } = shown;
  const platform = bidiIsolate(shown.platformName);
  const page = { platform, languageForm: { action: offerId }, localTimes: '../local-times.js' };
  if (link === null) return { ...plainPage(200, tick, offer.taken), ...page };
  const { name, content } = offer.credentials[credentialType];
  const main = html`<p class="asks">${offer.kind}</p>
<h1>${fill(offer.heading, { credential: name })}</h1>
<p>${fill(offer.lead, { platform })} ${content} ${offer.wallet}</p>
<section class="slip offer" id="offer" data-offer="../oid4vci/offers/${offerId}" data-seconds="${secondsLeft}">
<div class="scan">
<p>${offer.scan}</p>
<div class="qr" role="img" aria-label="${offer.qrLabel}">${new Html(renderSVG(link, QR))}</div>
</div>
<div class="open">
<p><a class="button" href="${link}">${offer.open}</a></p>
<p class="soft">${offer.openNote}</p>
</div>
${needsTxCode && html`<p class="note">${offer.txCode}</p>`}
<p>${fillHtml(offer.until, { moment: momentElement(expiresAt, texts) })} <span class="left" hidden>${offer.left} <strong role="timer"></strong></span></p>
</section>
<h2>${offer.notesHeading}</h2>
<ul>${offer.notes.map((note) => html`<li>${note}</li>`)}</ul>`;
  return { ...page, status: 200, title: offer.title, main, script: '../offer.js', style };
}

/** ISO/IEC 18004 asks for four light modules around the code. */
const QR = { border: 4 };

const style = stylesheet(`
.offer { display: grid; gap: 1.25rem; justify-items: center; text-align: center; padding-bottom: 1.375rem; }
.offer p { margin: 0; }
.offer .note { text-align: start; }
.scan, .open { display: grid; gap: .75rem; justify-items: center; }
.qr { background: #fff; border-radius: .375rem; line-height: 0; }
.qr svg { width: min(17rem, 70vw); height: auto; display: block; border-radius: inherit; }
.button { display: inline-flex; align-items: center; min-height: 3.25rem; padding: .5rem 1.25rem; border-radius: .625rem; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; }
.left { white-space: nowrap; }
.left strong { font-variant-numeric: tabular-nums; }
/* A phone opens its own wallet; it cannot scan its own screen. */
@media (max-width: 31.99rem) { .open { order: -1; } }
`);
