import { FORM_TYPE } from '#kit/http/bodies.js';
import { snake } from './clientNames.js';
import type { ExampleRequest } from './exampleRequest.js';
import { pythonLiteral } from './literals.js';

const MARGIN = '    ';

export function pythonProgram(request: ExampleRequest): string {
  const { called, baseUrl, secret } = request;
  if (!called) return plainProgram(request);
  const credential = secret && `os.environ['${secret.variable}']`;
  const options = [
    pythonLiteral(baseUrl),
    ...(credential ? [secret.prefix ? credential : `admin_secret=${credential}`] : []),
  ];
  const method = `client.${snake(called.id)}`;
  return `${secret ? 'import os\n\n' : ''}from reliability_client import Client

client = Client(${options.join(', ')})
${
  called.isStream
    ? `for envelope in ${method}():\n${MARGIN}print(envelope)`
    : `answer = ${method}(${callArguments(request).join(', ')})\nprint(answer)`
}`;
}

/** The parts of the path, then the body or else the query. */
function callArguments({ operation, pathValues, query, body }: ExampleRequest): string[] {
  const parts = pathValues.map((value) => pythonLiteral(value));
  const hasQuery = Object.keys(query).length > 0;
  if (!operation.requestBody) return [...parts, ...(hasQuery ? [pythonLiteral(query)] : [])];
  return [
    ...parts,
    ...(body ? [pythonLiteral(body.example)] : []),
    ...(hasQuery ? [`query=${pythonLiteral(query)}`] : []),
  ];
}

/** For what the client has no method for: pages, wallets' own protocol. */
function plainProgram({ method, url, secret, body }: ExampleRequest): string {
  const own = secret && `os.environ['${secret.variable}']`;
  const headers = [
    ...(secret ? [`'${secret.header}': ${secret.prefix ? `'${secret.prefix}' + ` : ''}${own}`] : []),
    ...(typeof body?.example === 'string' ? [`'Content-Type': '${body.type}'`] : []),
  ];
  const settings = [
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body ? [plainBody(body)] : []),
  ];
  const lines = [pythonLiteral(url), ...settings].map((line) => `${MARGIN}${line},\n`).join('');
  return `${secret ? 'import os\n\n' : ''}import requests

response = requests.${method.toLowerCase()}(
${lines})
print(response.status_code, response.text)`;
}

function plainBody({ type, example }: NonNullable<ExampleRequest['body']>): string {
  const isJson = type !== FORM_TYPE && typeof example !== 'string';
  return `${isJson ? 'json' : 'data'}=${pythonLiteral(example, MARGIN)}`;
}
