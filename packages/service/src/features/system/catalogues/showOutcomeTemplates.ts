import { failValidation } from '#domain/errors.js';
import type { SerializedAnswer } from '#kit/http/answer.js';
import { fixedDocument } from '#kit/http/fixedDocument.js';
import { outcomeTemplates } from './outcomeTemplates.js';

interface Request {
  readonly query: { readonly industry?: string };
  header(name: string): string | undefined;
}

type Handler = (request: Request) => SerializedAnswer | Promise<SerializedAnswer>;

/**
 * The whole catalogue, or one industry of it. Each variant is built once; there are as many as
 * industries.
 */
export function templateCatalogue(): Handler {
  const handlers = new Map<string | undefined, Handler>();
  return (request) => {
    const { industry } = request.query;
    const handle = handlers.get(industry) ?? fixedDocument(contentFor(industry));
    handlers.set(industry, handle);
    return handle(request);
  };
}

function contentFor(industry: string | undefined): object {
  const known = outcomeTemplates(industry);
  if (known) return known;
  const names = (outcomeTemplates()?.industries ?? []).map((entry) => entry.industry);
  return failValidation([
    {
      path: 'industry',
      code: 'invalid_value',
      message: 'unknown industry',
      expected: names,
      received: industry,
    },
  ]);
}
