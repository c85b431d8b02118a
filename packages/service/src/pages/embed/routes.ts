import { readFileSync } from 'node:fs';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import { staticText } from '../../kit/http/fixedDocument.js';
import { everyone, type Route, type RouteTable, route } from '../../kit/http/route.js';
import { packageFile } from '../../kit/packageFile.js';
import { badgeExample, embedExample } from './examplePages.js';

/** The scripts for other websites (RULES C10), each with an example page. */
export function embedRoutes({ config }: Pick<ServiceDeps, 'config'>): RouteTable {
  const embed = embedExample(config.baseUrl);
  const badge = badgeExample(config.baseUrl);
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
    'GET !/docs/verify-embed': example(embed, {
      operationId: 'showVerifyEmbedExample',
      summary: 'See how to embed the hosted pages',
    }),
    'GET !/docs/trust-badge': example(badge, {
      operationId: 'showTrustBadgeExample',
      summary: 'See how to show a trust badge',
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

function example(
  { text, policy }: { text: string; policy: string },
  texts: Pick<Route, 'operationId' | 'summary'>,
): Route {
  return route({
    access: everyone,
    tag: TAG,
    ...texts,
    description: 'A page for people, with HTML to copy and a form to try it.',
    answers: { 200: { media: [{ type: 'text/html', example: '<!doctype html>...' }] }, 304: null },
    handle: staticText('text/html; charset=utf-8', text, { 'Content-Security-Policy': policy }),
  });
}
