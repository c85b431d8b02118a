import { failValidation } from '../../../domain/errors.js';
import type { Answer } from '../../../kit/http/answer.js';
import { fixedDocument } from '../../../kit/http/fixedDocument.js';
import { outcomeTemplates } from './outcomeTemplates.js';

interface Request {
  readonly query: { readonly industry?: string };
  header(name: string): string | undefined;
}

type Answerer = (request: Request) => Answer;

/** The whole catalogue, or one industry of it; each variant is made once, and there are no more than industries. */
export function templateCatalogue(): Answerer {
  const answerers = new Map<string | undefined, Answerer>();
  return (request) => {
    const { industry } = request.query;
    const answerer = answerers.get(industry) ?? fixedDocument(contentFor(industry));
    answerers.set(industry, answerer);
    return answerer(request);
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
      message: 'names no industry of this catalogue',
      expected: names,
      received: industry,
    },
  ]);
}
