import { FORM_TYPE } from '#kit/http/bodies.js';
import type { OpenApiDocument, OperationObject } from '#kit/http/openapiSchemas.js';
import { clientModelOf } from './clientModel.js';
import { type ExampleRequest, exampleRequest } from './exampleRequest.js';
import { goProgram } from './goSamples.js';
import { shellText, typescriptLiteral } from './literals.js';
import { pythonProgram } from './pythonSamples.js';

/** An example request as a program. `language` is the usual name for highlighting. */
export interface Sample {
  readonly language: 'sh' | 'ts' | 'python' | 'go';
  readonly name: 'curl' | 'TypeScript' | 'Python' | 'Go';
  readonly text: string;
}

/**
 * The example request of an operation in four languages. The key is in RELIABILITY_KEY, the secret
 * of the operator in ADMIN_SECRET.
 */
export function requestSamples(
  document: OpenApiDocument,
  baseUrl: string,
  method: string,
  path: string,
  operation: OperationObject,
): readonly Sample[] {
  const request = exampleRequest(clientModelOf(document), baseUrl, method, path, operation);
  return [
    { language: 'sh', name: 'curl', text: curlCommand(request) },
    { language: 'ts', name: 'TypeScript', text: typescriptProgram(request) },
    { language: 'python', name: 'Python', text: pythonProgram(request) },
    { language: 'go', name: 'Go', text: goProgram(request) },
  ];
}

function curlCommand({ method, url, secret, body, called }: ExampleRequest): string {
  const action = method === 'GET' ? '' : ` -X ${method}`;
  return [
    `curl${called?.isStream ? ' -N' : ''}${action} ${shellText(url)}`,
    ...(secret ? [`-H "${secret.header}: ${secret.prefix}$${secret.variable}"`] : []),
    ...(body ? curlBody(body) : []),
  ].join(' \\\n  ');
}

function curlBody({ type, example }: NonNullable<ExampleRequest['body']>): string[] {
  if (type === FORM_TYPE) {
    return Object.entries(example as Record<string, string>).map(
      ([name, value]) => `--data-urlencode ${shellText(`${name}=${value}`)}`,
    );
  }
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return [`-H 'Content-Type: ${type}'`, `--data-binary ${shellText(text)}`];
}

function typescriptProgram(request: ExampleRequest): string {
  const { baseUrl, secret, called, operation } = request;
  if (!called) return fetchProgram(request);
  const credential = secret && `${secret.prefix ? 'key' : 'adminSecret'}: process.env.${secret.variable}`;
  const options = [`baseUrl: ${typescriptLiteral(baseUrl)}`, ...(credential ? [credential] : [])];
  const created =
    options.length === 1 ? `{ ${options} }` : `{\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return [
    "import { createClient } from '@reliability/client';",
    '',
    `const client = createClient(${created});`,
    called.isStream
      ? 'for await (const envelope of client.stream()) {\n  console.log(envelope);\n}'
      : `const answer = await client.${operation.operationId}(${clientArguments(request).join(', ')});\nconsole.log(answer);`,
  ].join('\n');
}

/** The parts of the path, then the body or else the query, then options. */
function clientArguments({ operation, pathValues, query, body }: ExampleRequest): string[] {
  const hasQuery = Object.keys(query).length > 0;
  const parts = pathValues.map((value) => typescriptLiteral(value));
  if (!operation.requestBody) return [...parts, ...(hasQuery ? [typescriptLiteral(query)] : [])];
  return [
    ...parts,
    ...(body ? [typescriptLiteral(body.example)] : []),
    ...(hasQuery ? [typescriptLiteral({ query })] : []),
  ];
}

function fetchProgram({ method, url, secret, body }: ExampleRequest): string {
  const headers = [
    ...(secret ? [`    '${secret.header}': \`${secret.prefix}\${process.env.${secret.variable}}\`,`] : []),
    ...(body && body.type !== FORM_TYPE ? [`    'Content-Type': '${body.type}',`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body ? [`  body: ${fetchBody(body)},`] : []),
  ];
  const settings = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(${typescriptLiteral(url)}${settings});
console.log(response.status, await response.text());`;
}

function fetchBody({ type, example }: NonNullable<ExampleRequest['body']>): string {
  const text = typescriptLiteral(example, '  ');
  if (type === FORM_TYPE) return `new URLSearchParams(${text})`;
  return typeof example === 'string' ? text : `JSON.stringify(${text})`;
}
