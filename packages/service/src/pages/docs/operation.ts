import { type Html, html } from '#kit/html.js';
import type {
  Components,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '#kit/http/openapiSchemas.js';
import { codeTabs } from './codeBlocks.js';
import { colouredJson } from './colouredJson.js';
import { heading } from './heading.js';
import { atOwnAddress } from './ownAddress.js';
import { inline, prose } from './prose.js';
import { requestSamples } from './samples.js';
import { type SchemaField, schemaFields, typeText } from './schemaFields.js';
import { tryForm } from './tryForm.js';

export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  /** The second address of the same operation. */
  readonly also: string | undefined;
  readonly operation: OperationObject;
}

/** One operation: input and output on the left, an example request and answer on the right. */
export function operationArticle(
  document: OpenApiDocument,
  { method, path, also, operation }: PlacedOperation,
): Html {
  const baseUrl = baseUrlOf(document);
  return html`<section class="operation">
${heading(2, operation.operationId, operation.summary)}
${operation.deprecated && html`<p><span class="chip warn">deprecated</span></p>`}
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code>${also && html` <small>and <code>${also}</code></small>`}</p>
<p class="access">${accessText(operation)}</p>
<div class="sides"><div>
${operation.description && prose(operation.description)}
${parameterList(document, operation)}
${bodyFields(document, operation)}
${successes(operation).map(([status, response]) => answerFields(document, status, response))}
${errorList(document, operation)}
</div><div class="samples">
${codeTabs(requestSamples(document, baseUrl, method, path, operation))}
${tryForm(method, path, operation)}
${successes(operation).map(([status, response]) => answerSamples(operation.summary, status, response, baseUrl))}
</div></div>
</section>`;
}

/** The public address of this service. */
export function baseUrlOf({ servers }: OpenApiDocument): string {
  return servers[0]?.url ?? '';
}

/** Long addresses may break after a slash. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=\/)/).map((piece) => html`${piece}<wbr>`)}`;
}

function accessText(operation: OperationObject): Html {
  const [scheme] = operation.security;
  if (!scheme) return html`Open to everyone`;
  if ('adminSecret' in scheme) return html`Operator, by <code>X-Admin-Secret</code>`;
  const scope = operation['x-scope'];
  return scope ? html`Platform key with <code>${scope}</code>` : html`Any platform key`;
}

function successes(operation: OperationObject): [string, ResponseObject][] {
  return Object.entries(operation.responses).filter(([, response]) => errorCodes(response).length === 0);
}

function errorCodes(response: ResponseObject): string[] {
  return Object.keys(response.content?.['application/json']?.examples ?? {});
}

function parameterList(document: OpenApiDocument, { parameters = [] }: OperationObject): Html | null {
  if (parameters.length === 0) return null;
  const locations = { path: 'In the path', query: 'Query', header: 'Headers' } as const;
  return html`${(['path', 'query', 'header'] as const).map((location) => {
    const fields = parameters.filter((parameter) => parameter.in === location);
    return (
      fields.length > 0 &&
      fieldList(
        locations[location],
        fields.map((parameter) => parameterField(document.components.schemas, parameter)),
      )
    );
  })}`;
}

export function parameterField(named: Components['schemas'], parameter: ParameterObject): SchemaField {
  return {
    parent: '',
    name: parameter.name,
    type: typeText(parameter.schema, named),
    required: parameter.required ?? false,
    description: parameter.description ?? '',
  };
}

function bodyFields(document: OpenApiDocument, { requestBody }: OperationObject): Html | null {
  const [media] = Object.values(requestBody?.content ?? {});
  if (!media) return null;
  const title = requestBody?.required ? 'Body' : 'Body (optional)';
  return fieldList(title, schemaFields(media.schema, document.components.schemas));
}

function answerFields(
  document: OpenApiDocument,
  status: string,
  { description, content = {} }: ResponseObject,
): Html {
  const schema = content['application/json']?.schema;
  const others = Object.keys(content).filter((type) => type !== 'application/json');
  return html`<details class="answer"><summary><span class="status">${status}</span> ${inline(description)}</summary>
${others.length > 0 && html`<p>${schema ? 'Also as ' : 'As '}${others.map((type) => html`<code>${type}</code> `)}</p>`}
${schema && fieldList(null, schemaFields(schema, document.components.schemas), false)}</details>`;
}

export function fieldList(
  title: string | null,
  fields: readonly SchemaField[],
  showsRequired = true,
): Html | null {
  if (fields.length === 0) return null;
  return html`${title && html`<h3>${title}</h3>`}<ul class="fields">${fields.map(
    (field) => html`<li><code><span>${field.parent}</span>${field.name}</code>
${showsRequired && field.required && html`<strong>required</strong>`} <small>${field.type}</small>
${field.description && html`<p>${inline(field.description)}</p>`}</li>`,
  )}</ul>`;
}

function errorList(document: OpenApiDocument, operation: OperationObject): Html {
  const errors = Object.entries(operation.responses).flatMap(([status, response]) =>
    errorCodes(response).map((code) => ({ status, code })),
  );
  return html`<details class="answer"><summary>Errors</summary><ul class="fields">${errors.map(
    ({
      status,
      code,
    }) => html`<li><a href="../errors#${code}"><code>${code}</code></a> <small>${status}</small>
<p>${inline(errorSentence(document, code))}</p></li>`,
  )}</ul></details>`;
}

/** The catalogue's text of an error code. */
export function errorSentence(document: OpenApiDocument, code: string): string {
  const value = document.components.examples[code]?.value as { error?: string } | undefined;
  return value?.error ?? '';
}

function answerSamples(
  summary: string,
  status: string,
  { content = {} }: ResponseObject,
  baseUrl: string,
): Html {
  return html`${Object.entries(content).map(([type, media]) => {
    const title = type === 'application/json' ? `Answer ${status}` : `Answer ${status}, ${type}`;
    return (
      media.example !== undefined && sample(`${title}: ${summary}`, title, exampleText(type, media, baseUrl))
    );
  })}`;
}

function exampleText(type: string, { example }: MediaTypeObject, baseUrl: string): Html {
  return type.includes('json')
    ? colouredJson(example, baseUrl)
    : html`${atOwnAddress(String(example), baseUrl)}`;
}

/** Focusable, so that the keyboard can scroll wide lines. */
export function sample(label: string, title: string, text: Html): Html {
  return html`<figure><figcaption><span>${title}</span></figcaption><pre tabindex="0" role="region" aria-label="${label}">${text}</pre></figure>`;
}
