import { readFileSync } from 'node:fs';
import { staticText } from '../../kit/http/fixedDocument.js';
import { everyone, type Route, type RouteTable, route } from '../../kit/http/route.js';
import { packageFile } from '../../kit/packageFile.js';

/** The scripts for other websites (RULES C10), each with a page about it in the documentation. */
export function embedRoutes(): RouteTable {
  return {
    'GET !/verify-embed.js': script('verify-embed.js', 'loadVerifyEmbed'),
    'GET !/trust-badge.js': script('trust-badge.js', 'loadTrustBadge'),
  };
}

const TAG = 'Embeds';

/** Any website may load it, even a cross-origin isolated one. */
const SHARED = { 'Cross-Origin-Resource-Policy': 'cross-origin' };

function script(name: string, operationId: string): Route {
  const text = readFileSync(packageFile(`browser/${name}`), 'utf8');
  return route({
    operationId,
    access: everyone,
    tag: TAG,
    answers: {
      200: { media: [{ type: 'text/javascript' }] },
      304: null,
    },
    handle: staticText('text/javascript; charset=utf-8', text, SHARED),
  });
}
