import { type Html, html } from '#kit/html.js';
import { FORM_TYPE } from '#kit/http/bodies.js';
import type { OperationObject, ParameterObject } from '#kit/http/openapiSchemas.js';

/**
 * A form that sends the request from the page, with a test key. The script shows it. Operations of
 * the operator have none: they have no test mode.
 */
export function tryForm(method: string, path: string, operation: OperationObject): Html | undefined {
  if (!canTry(operation)) return undefined;
  const { operationId, summary, parameters = [], requestBody } = operation;
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  return html`<details class="try" hidden><summary>Try it</summary>
<form data-method="${method}" data-path="${path}" aria-label="Try it: ${summary}">
${needsKey(operation) && html`<label>Test key<input data-in="key" placeholder="crd_test_..." autocomplete="off" spellcheck="false" autocapitalize="off"></label>`}
${parameters.map(parameterField)}
${
  type !== undefined &&
  html`<label>Body <small>${type}</small><textarea data-in="body" data-type="${type}" rows="8" spellcheck="false">${bodyText(type, media?.example)}</textarea></label>`
}
<button>Send</button>
</form>
<div class="result" role="status" id="${operationId}-result"></div></details>`;
}

function needsKey({ security }: OperationObject): boolean {
  return security.some((scheme) => 'apiKey' in scheme);
}

function canTry(operation: OperationObject): boolean {
  const isForOperator = operation.security.some((scheme) => 'adminSecret' in scheme);
  if (isForOperator || operation.tags.includes('Console')) return false;
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return successes.every(([, { content }]) => content === undefined || 'application/json' in content);
}

function parameterField({ name, in: place, required, example }: ParameterObject): Html {
  const value = place === 'path' || required ? String(example ?? '') : '';
  return html`<label>${name}${required && html` <small>required</small>`}<input data-in="${place}" data-name="${name}" value="${value}" autocomplete="off" spellcheck="false"></label>`;
}

function bodyText(type: string, example: unknown): string {
  if (type === FORM_TYPE) return new URLSearchParams(example as Record<string, string>).toString();
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}
