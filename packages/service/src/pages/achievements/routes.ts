import { fail } from '#domain/errors.js';
import { html } from '#kit/html.js';
import { fixedText, preferredType } from '#kit/http/fixedDocument.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import {
  type Achievement,
  AchievementDocument,
  achievementAt,
  achievementPath,
  asDocument,
} from '../../features/sharing/badges.js';
import { hostedAnswer } from '../hosted/layout.js';
import { HTML } from '../hosted/pageRoutes.js';
import { english } from '../texts/texts.js';

const VARIES = { Vary: 'Accept' };

/** The achievements of badges, at the addresses that the badges contain. */
export function achievementRoutes({ config: { baseUrl } }: Pick<ServiceDeps, 'config'>): RouteTable {
  return {
    'GET !/achievements/{key}': route({
      operationId: 'readAchievement',
      access: everyone,
      tag: 'Credentials',
      params: achievementPath,
      answers: {
        200: { json: AchievementDocument, ...HTML },
        304: null,
      },
      errors: ['NOT_FOUND'],
      handle: (context) => {
        const achievement = achievementAt(context.params.key, baseUrl);
        if (!achievement)
          return fail('NOT_FOUND', { message: `There is no achievement ${context.params.key}.` });
        const type = preferredType(context.header('accept'), ['application/json', 'text/html']);
        if (type === 'text/html') return pageOf(achievement, baseUrl)(context);
        const text = JSON.stringify(asDocument(achievement));
        return fixedText('application/json; charset=utf-8', text, VARIES)(context);
      },
    }),
  };
}

function pageOf({ name, description, criteria }: Achievement, baseUrl: string): ReturnType<typeof fixedText> {
  const main = html`<h1>${name}</h1>
<p>${description}</p>
<h2>How to earn it</h2>
<p>${criteria.narrative}</p>
<h2>How to check a badge</h2>
<p>A badge is signed. Its status list shows whether it was withdrawn. The address in the badge shows the current record.</p>`;
  const { host } = new URL(baseUrl);
  const page = { status: 200, title: name, main, platform: null };
  const { body, headers } = hostedAnswer(page, { texts: english, opener: null, host });
  return fixedText('text/html; charset=utf-8', String(body), { ...headers, ...VARIES });
}
