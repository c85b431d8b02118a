import { INTRODUCTION } from './firstPage.js';
import type { MenuGroup } from './layout.js';
import { addressOf } from './page.js';

/**
 * What programs that read need to know first (llmstxt.org): what this is, and where each text is.
 * @param baseUrl the public address of this service
 */
export function llmsText(menu: readonly MenuGroup[], baseUrl: string): string {
  const groups = menu.map(({ name, pages }) =>
    [
      `## ${name}`,
      '',
      ...pages.map(({ path, title, summary, markdown }) => {
        const address = `${baseUrl}/${addressOf(path)}${markdown === undefined ? '' : '.md'}`;
        return `- [${title}](${address}): ${summary}`;
      }),
    ].join('\n'),
  );
  return `# Reliability score

> ${INTRODUCTION}

Base URL of the API: ${baseUrl}/api/v1. The OpenAPI 3.1 document is the complete reference: ${baseUrl}/openapi.json

${groups.join('\n\n')}
`;
}
