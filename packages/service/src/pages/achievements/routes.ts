import { fail } from '../../domain/errors.js';
import {
  type Achievement,
  achievementAt,
  asDocument,
} from '../../features/credentials/badges/achievements.js';
import { AchievementDocument, achievementPath } from '../../features/credentials/badges/schemas.js';
import { html } from '../../kit/html.js';
import { preferredType } from '../../kit/http/acceptRanges.js';
import { fixedText } from '../../kit/http/fixedDocument.js';
import { everyone, type RouteTable, route } from '../../kit/http/route.js';
import { hostedAnswer } from '../hosted/layout.js';
import { en } from '../texts/en.js';

interface AchievementDeps {
  config: { baseUrl: string };
}

const VARIES = { Vary: 'Accept' };

/** What badges are given for, at the addresses that stand in them. */
export function achievementRoutes({ config: { baseUrl } }: AchievementDeps): RouteTable {
  return {
    'GET !/achievements/{key}': route({
      operationId: 'readAchievement',
      access: everyone,
      tag: 'Credentials',
      summary: 'Read what a badge is given for',
      description: 'As JSON, or as a page for whoever prefers `text/html`.',
      params: achievementPath,
      answers: {
        200: { json: AchievementDocument, media: [{ type: 'text/html', example: '<!doctype html>...' }] },
        304: null,
      },
      errors: ['NOT_FOUND'],
      handle: (context) => {
        const achievement = achievementAt(context.params.key, baseUrl);
        if (!achievement) return fail('NOT_FOUND', { message: 'There is no such achievement.' });
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
<h2>How it is reached</h2>
<p>${criteria.narrative}</p>
<h2>How to check a badge</h2>
<p>A badge is signed. Its status list says whether it has been withdrawn, and the address in it shows the record as it stands now.</p>`;
  const { host } = new URL(baseUrl);
  const page = { status: 200, title: name, main, platform: null };
  const { body, headers } = hostedAnswer(page, { texts: en, opener: null, host });
  return fixedText('text/html; charset=utf-8', String(body), { ...headers, ...VARIES });
}
