import { html } from '#kit/html.js';
import changelog from '../../../data/changelog.json' with { type: 'json' };

/**
 * The changelog as an Atom feed (RFC 4287).
 * @param baseUrl the public address of this service
 */
export function changelogFeed(baseUrl: string): string {
  const page = `${baseUrl}/docs/changelog`;
  return `<?xml version="1.0" encoding="utf-8"?>
${
  html`<feed xmlns="http://www.w3.org/2005/Atom">
<title>Reliability score: changelog of the API</title>
<id>${page}</id>
<link href="${page}"/>
<link rel="self" type="application/atom+xml" href="${page}.xml"/>
<author><name>Reliability score</name></author>
<updated>${changelog[0]?.date}T00:00:00Z</updated>
${changelog.map(
  ({ id, date, category, summary, endpoints }) => html`<entry>
<title>${date}: ${[category, ...endpoints].join(' ')}</title>
<id>${page}#${id}</id>
<link href="${page}#${id}"/>
<updated>${date}T00:00:00Z</updated>
<category term="${category}"/>
<content type="text">${summary}</content>
</entry>
`,
)}</feed>`.text
}
`;
}
