import { FORM_TYPE } from '#kit/http/bodies.js';
import type { OperationObject } from '#kit/http/openapiSchemas.js';
import { isForPrograms } from './clientOperations.js';
import { goText, pythonLiteral, shellText, typescriptLiteral } from './literals.js';

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
  baseUrl: string,
  method: string,
  path: string,
  operation: OperationObject,
): readonly Sample[] {
  const request = exampleRequest(baseUrl, method, path, operation);
  return [
    { language: 'sh', name: 'curl', text: curlCommand(request) },
    { language: 'ts', name: 'TypeScript', text: typescriptProgram(request) },
    { language: 'python', name: 'Python', text: pythonProgram(request) },
    { language: 'go', name: 'Go', text: goProgram(request) },
  ];
}

interface ExampleRequest {
  readonly operation: OperationObject;
  readonly method: string;
  readonly baseUrl: string;
  /** With the values of the examples, and the required parameters of the query. */
  readonly url: string;
  readonly pathTemplate: string;
  readonly pathValues: readonly unknown[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly secret: { header: string; prefix: string; variable: string } | undefined;
  readonly isStream: boolean;
  readonly body: { type: string; example: unknown } | undefined;
}

function exampleRequest(
  baseUrl: string,
  method: string,
  path: string,
  operation: OperationObject,
): ExampleRequest {
  const parameters = operation.parameters ?? [];
  const examples = new Map(
    parameters.filter(({ in: place }) => place === 'path').map(({ name, example }) => [name, example]),
  );
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    encodeURIComponent(String(examples.get(name) ?? placeholder)),
  );
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = Object.fromEntries(required.map(({ name, example }) => [name, example ?? '']));
  const search = new URLSearchParams();
  for (const { name, example } of required) search.set(name, String(example ?? ''));
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  return {
    operation,
    method,
    baseUrl,
    url: `${baseUrl}${filled}${search.size === 0 ? '' : `?${search}`}`,
    pathTemplate: path,
    pathValues: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => examples.get(name) ?? ''),
    query,
    secret: secretOf(operation),
    isStream: Object.values(operation.responses).some(({ content = {} }) => 'text/event-stream' in content),
    body: type === undefined || media?.example === undefined ? undefined : { type, example: media.example },
  };
}

function secretOf({ security: [scheme = {}] }: OperationObject): ExampleRequest['secret'] {
  if ('apiKey' in scheme) return { header: 'Authorization', prefix: 'Bearer ', variable: 'RELIABILITY_KEY' };
  if ('adminSecret' in scheme) return { header: 'X-Admin-Secret', prefix: '', variable: 'ADMIN_SECRET' };
  return undefined;
}

function curlCommand({ method, url, secret, body, isStream }: ExampleRequest): string {
  const action = method === 'GET' ? '' : ` -X ${method}`;
  return [
    `curl${isStream ? ' -N' : ''}${action} ${shellText(url)}`,
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
  const { operation, pathTemplate, isStream } = request;
  if (!isForPrograms(pathTemplate, operation)) return fetchProgram(request);
  const { baseUrl, secret } = request;
  const credential = secret && `${secret.prefix ? 'key' : 'adminSecret'}: process.env.${secret.variable}`;
  const options = [`baseUrl: ${typescriptLiteral(baseUrl)}`, ...(credential ? [credential] : [])];
  const created =
    options.length === 1 ? `{ ${options} }` : `{\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return [
    "import { createClient } from '@reliability/client';",
    '',
    `const client = createClient(${created});`,
    isStream
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

function pythonProgram({ method, url, secret, body, isStream }: ExampleRequest): string {
  const margin = '    ';
  const own = secret && `os.environ['${secret.variable}']`;
  const headers = [
    ...(secret ? [`'${secret.header}': ${secret.prefix ? `'${secret.prefix}' + ` : ''}${own}`] : []),
    ...(typeof body?.example === 'string' ? [`'Content-Type': '${body.type}'`] : []),
  ];
  const settings = [
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body ? [pythonBody(body, margin)] : []),
    ...(isStream ? ['stream=True'] : []),
  ];
  const lines = [pythonLiteral(url), ...settings].map((line) => `${margin}${line},\n`).join('');
  return `${secret ? 'import os\n\n' : ''}import requests

response = requests.${method.toLowerCase()}(
${lines})
${isStream ? 'for line in response.iter_lines():\n    print(line.decode())' : 'print(response.status_code, response.text)'}`;
}

function pythonBody({ type, example }: NonNullable<ExampleRequest['body']>, margin: string): string {
  const isJson = type !== FORM_TYPE && typeof example !== 'string';
  return `${isJson ? 'json' : 'data'}=${pythonLiteral(example, margin)}`;
}

/** The statements of a function; an editor adds the imports. */
function goProgram({ method, url, secret, body }: ExampleRequest): string {
  const from = body ? 'strings.NewReader(body)' : 'nil';
  const headers = [
    ...(secret
      ? [`"${secret.header}", ${secret.prefix ? `"${secret.prefix}"+` : ''}os.Getenv("${secret.variable}")`]
      : []),
    ...(body ? [`"Content-Type", "${body.type}"`] : []),
  ];
  const failed = 'if err != nil {\n\tlog.Fatal(err)\n}';
  return [
    ...(body ? [`body := ${goBody(body)}`] : []),
    `request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${from})`,
    failed,
    ...headers.map((header) => `request.Header.Set(${header})`),
    'response, err := http.DefaultClient.Do(request)',
    failed,
    'defer response.Body.Close()',
    'io.Copy(os.Stdout, response.Body)',
  ].join('\n');
}

function goBody({ type, example }: NonNullable<ExampleRequest['body']>): string {
  if (type === FORM_TYPE) {
    const fields = Object.entries(example as Record<string, string>);
    const lines = fields.map(([name, value]) => `\t${JSON.stringify(name)}: {${JSON.stringify(value)}},\n`);
    return `url.Values{\n${lines.join('')}}.Encode()`;
  }
  return goText(typeof example === 'string' ? example : JSON.stringify(example, null, 2));
}
