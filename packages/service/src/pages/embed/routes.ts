import { readFileSync } from 'node:fs';
import { staticText } from '../../kit/http/fixedDocument.js';
import { everyone, type Route, type RouteTable, route } from '../../kit/http/route.js';
import { packageFile } from '../../kit/packageFile.js';

/** The scripts for other websites (RULES C10), each with a page about it in the documentation. */
export function embedRoutes(): RouteTable {
  return {
    'GET !/verify-embed.js': script('verify-embed.js', {
      operationId: 'loadVerifyEmbed',
      summary: 'Load the launcher of the hosted pages',
      description:
        '`ReliabilityVerify.open({url, onResult})` opens a confirmation or reference link in a sandboxed modal window on your page and reports `confirmed`, `declined` or `dismissed`, once. Example: `/docs/verify-embed`.',
    }),
    'GET !/trust-badge.js': script('trust-badge.js', {
      operationId: 'loadTrustBadge',
      summary: 'Load the trust badge',
      description:
        'Shows the badge of the share token in `data-token` at the position of the script, as a link to the page that verifies it. Display only. Example: `/docs/trust-badge`.',
    }),
  };
}

const TAG = 'Embeds';

/** Any website may load it, even a cross-origin isolated one. */
const SHARED = { 'Cross-Origin-Resource-Policy': 'cross-origin' };

function script(name: string, texts: Pick<Route, 'operationId' | 'summary' | 'description'>): Route {
  const text = readFileSync(packageFile(`browser/${name}`), 'utf8');
  return route({
    ...texts,
    access: everyone,
    tag: TAG,
    answers: {
      200: { media: [{ type: 'text/javascript', example: "(() => { 'use strict'; ..." }] },
      304: null,
    },
    handle: staticText('text/javascript; charset=utf-8', text, SHARED),
  });
}
