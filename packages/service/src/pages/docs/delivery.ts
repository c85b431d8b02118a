import { type Html, html } from '#kit/html.js';
import type { Components, OperationObject } from '#kit/http/openapiSchemas.js';
import { colouredJson } from './colouredJson.js';
import { heading } from './heading.js';
import { fieldList, parameterField, sample } from './operation.js';
import { inline } from './prose.js';
import { schemaFields } from './schemaFields.js';

type Named = Components['schemas'];

/** Common to all deliveries: the headers, and the meaning of the receiver's answer. */
export function deliveryTerms({ parameters = [], responses }: OperationObject, named: Named): Html {
  return html`${fieldList(
    'Headers',
    parameters.map((header) => parameterField(named, header)),
    false,
  )}
<h3>Answers of the receiver</h3><ul class="fields">${Object.entries(responses).map(
    ([status, { description }]) =>
      html`<li><code>${status === 'default' ? 'else' : status}</code><p>${inline(description)}</p></li>`,
  )}</ul>`;
}

/** One type of delivery and its body. */
export function deliveryArticle(
  { operationId, summary, description, requestBody }: OperationObject,
  named: Named,
  baseUrl: string,
): Html {
  const media = requestBody?.content['application/json'];
  return html`<section class="operation">
${heading(2, operationId, html`<code>${summary}</code>`)}
<div class="sides"><div>
<p>${inline(description)}</p>
${media && html`<details class="answer"><summary>Fields of the body</summary>${fieldList(null, schemaFields(media.schema, named), false)}</details>`}
</div><div class="samples">
${media && sample(`Delivery: ${summary}`, 'Body', colouredJson(media.example, baseUrl))}
</div></div>
</section>`;
}
