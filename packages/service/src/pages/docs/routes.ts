import type { SerializedAnswer } from '../../kit/http/answer.js';
import { staticText } from '../../kit/http/fixedDocument.js';
import type { OpenApiDocument } from '../../kit/http/openapiTypes.js';
import { everyone, type RouteTable, route } from '../../kit/http/route.js';
import { docsPage } from './page.js';
import { contentSecurityPolicy } from './style.js';

type Answerer = (context: { header(name: string): string | undefined }) => SerializedAnswer;

/** The API reference for people (RULES Y7). */
export function docsRoutes(deps: { document(): OpenApiDocument }): RouteTable {
  let answerer: Answerer | undefined;
  return {
    'GET !/docs': route({
      operationId: 'showApiReference',
      access: everyone,
      tag: 'System',
      summary: 'Read the API reference',
      description: 'A page for people, generated from the OpenAPI document, without scripts.',
      answers: { 200: { media: [{ type: 'text/html', example: '<!doctype html>...' }] }, 304: null },
      handle(context) {
        answerer ??= answererOf(deps.document());
        return answerer(context);
      },
    }),
  };
}

function answererOf(document: OpenApiDocument): Answerer {
  return staticText('text/html; charset=utf-8', docsPage(document).text, {
    'Content-Security-Policy': contentSecurityPolicy,
  });
}
