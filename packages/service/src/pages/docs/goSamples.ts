import { FORM_TYPE } from '#kit/http/bodies.js';
import { goLiteral } from './clientGo.js';
import type { ClientOperation } from './clientModel.js';
import { pascal } from './clientNames.js';
import type { ExampleRequest } from './exampleRequest.js';
import { goText } from './literals.js';

const FAILED = 'if err != nil {\n\tlog.Fatal(err)\n}';

/** The statements of a function; an editor adds the imports. */
export function goProgram(request: ExampleRequest): string {
  const { called, baseUrl, secret } = request;
  if (!called) return plainProgram(request);
  const options = [
    ['BaseURL', JSON.stringify(baseUrl)],
    ...(secret ? [[secret.prefix ? 'Key' : 'AdminSecret', `os.Getenv("${secret.variable}")`]] : []),
  ];
  const width = Math.max(...options.map(([name = '']) => name.length));
  const lines = options.map(([name, value]) => `\t${`${name}:`.padEnd(width + 1)} ${value},\n`);
  return [
    `client, err := reliability.New(reliability.Options{\n${lines.join('')}})`,
    FAILED,
    statements(request, called),
  ].join('\n');
}

function statements(request: ExampleRequest, called: ClientOperation): string {
  const method = `client.${pascal(called.id)}`;
  if (called.isStream) {
    return `envelopes := ${method}(context.Background(), reliability.StreamOptions{})
for envelopes.Next() {
\tfmt.Println(envelopes.Value().Type)
}`;
  }
  const call = `${method}(${['context.Background()', ...callArguments(request, called)].join(', ')})`;
  if (!called.answer) return `if err := ${call}; err != nil {\n\tlog.Fatal(err)\n}`;
  return `answer, err := ${call}\n${FAILED}\nfmt.Printf("%+v\\n", answer)`;
}

function callArguments(
  { model, pathValues, query, body }: ExampleRequest,
  called: ClientOperation,
): string[] {
  const parts = pathValues.map((value) => JSON.stringify(String(value)));
  const hasQuery = Object.keys(query).length > 0;
  const queryLiteral = called.query
    ? `&${goLiteral(model, { kind: 'shape', name: called.query.name }, query)}`
    : '';
  if (!called.body) return [...parts, ...(called.query ? [hasQuery ? queryLiteral : 'nil'] : [])];
  const literal = body ? goLiteral(model, called.body.type, body.example) : 'nil';
  return [
    ...parts,
    body && !called.body.isRequired ? `&${literal}` : literal,
    ...(hasQuery ? [`reliability.WithQuery(${queryLiteral})`] : []),
  ];
}

/** For what the client has no method for: pages, wallets' own protocol. */
function plainProgram({ method, url, secret, body }: ExampleRequest): string {
  const from = body ? 'strings.NewReader(body)' : 'nil';
  const headers = [
    ...(secret
      ? [`"${secret.header}", ${secret.prefix ? `"${secret.prefix}"+` : ''}os.Getenv("${secret.variable}")`]
      : []),
    ...(body ? [`"Content-Type", "${body.type}"`] : []),
  ];
  return [
    ...(body ? [`body := ${plainBody(body)}`] : []),
    `request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${from})`,
    FAILED,
    ...headers.map((header) => `request.Header.Set(${header})`),
    'response, err := http.DefaultClient.Do(request)',
    FAILED,
    'defer response.Body.Close()',
    'io.Copy(os.Stdout, response.Body)',
  ].join('\n');
}

function plainBody({ type, example }: NonNullable<ExampleRequest['body']>): string {
  if (type === FORM_TYPE) {
    const fields = Object.entries(example as Record<string, string>);
    const lines = fields.map(([name, value]) => `\t${JSON.stringify(name)}: {${JSON.stringify(value)}},\n`);
    return `url.Values{\n${lines.join('')}}.Encode()`;
  }
  return goText(typeof example === 'string' ? example : JSON.stringify(example, null, 2));
}
