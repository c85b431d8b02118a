import { checkCredential } from '../../../service/browser/check/checkCredential.js';
import { NotCheckable, type Outcome } from '../../../service/browser/check/outcome.js';
import {
  credentialIn as credentialInAnswer,
  type Jwt,
  parseJwt,
  type Service,
} from '../../../service/browser/check/service.js';
import { textsIn } from '../../../service/browser/check/texts.js';
import type { Arguments } from '../arguments.js';
import { UsageError } from '../commandError.js';
import { exitCodes } from '../exitCodes.js';
import type { Output } from '../output.js';
import { markOf } from './mark.js';

/** The credential in a file: a JWT, or an answer of the API that contains one. Null: none. */
export function credentialIn(text: string): Jwt | null {
  const jwt = parseJwt(text.replace(/\s/g, ''));
  if (jwt) return jwt;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? parseJwt(value) : credentialInAnswer(value);
  } catch {
    return null;
  }
}

const texts = textsIn('en');

interface CheckOptions {
  args: Arguments;
  output: Output;
  readText(path: string): string;
}

/** Checks a credential with the code of the page /check, on files instead of the network. */
export async function checkFile(jwt: Jwt, { args, output, readText }: CheckOptions): Promise<number> {
  const read = documentsOf(args, readText);
  const outcome = await outcomeOf(jwt, read);
  output.result(outcome, () => linesOf(outcome, output));
  if (outcome.ok === null) return exitCodes.incomplete;
  return outcome.ok ? exitCodes.done : exitCodes.failed;
}

type Read = (path: string) => Promise<Response>;

/** Public documents of the issuer: from files, then from --url. */
function documentsOf(args: Arguments, readText: (path: string) => string): Read {
  const url = args.text('url')?.replace(/(?<!\/)\/+$/, '');
  return async (path) => {
    const source = sourceOf(path, args);
    if (source.file !== undefined) return new Response(readText(source.file));
    if (source.text !== undefined) return new Response(source.text);
    if (url !== undefined) return fetch(`${url}/${path}`);
    throw new NotCheckable(source.missing);
  };
}

interface Source {
  file?: string | undefined;
  text?: string | undefined;
  /** What to give, if there is neither. */
  missing: string;
}

function sourceOf(path: string, args: Arguments): Source {
  if (path.endsWith('did.json'))
    return {
      file: args.text('did'),
      missing: 'Not checked: give the key of the issuer, --did FILE or --url.',
    };
  if (path.startsWith('api/v1/status-lists/'))
    return {
      file: args.text('status-list'),
      missing: `Not checked: give --status-list FILE (/${path}) or --url.`,
    };
  const [vkey, ...retiredKeys] = args.list('key');
  const isKeys = path.endsWith('ledger-log.json') && vkey !== undefined;
  return {
    text: isKeys ? JSON.stringify({ vkey, retiredKeys }) : undefined,
    missing: 'Not checked: only --url can say whether the present log still holds it.',
  };
}

async function outcomeOf(jwt: Jwt, read: Read): Promise<Outcome> {
  try {
    const did = await issuerOf(read);
    const service: Service = { baseUrl: addressOf(did, jwt), did, origin: '', texts, read };
    return await checkCredential(jwt, service, new Date());
  } catch (error) {
    if (!(error instanceof NotCheckable)) throw error;
    return { title: texts.titles.notChecked, ok: null, says: [], findings: [], notes: [error.message] };
  }
}

async function issuerOf(read: Read): Promise<string> {
  const response = await read('.well-known/did.json').catch((error: unknown) => {
    throw error instanceof NotCheckable || error instanceof UsageError
      ? error
      : new NotCheckable(texts.unreachable);
  });
  const { id } = (await response.json().catch(() => ({}))) as { id?: unknown };
  if (typeof id === 'string') return id;
  throw new UsageError('The document of the issuer is not a did.json: it has no id.');
}

/** The address behind a did:web. Development servers have http. */
function addressOf(did: string, { payload }: Jwt): string {
  const [, , ...parts] = did.split(':').map(decodeURIComponent);
  const address = parts.join('/');
  return JSON.stringify(payload).includes(`"http://${address}/api/v1/status-lists/`)
    ? `http://${address}`
    : `https://${address}`;
}

function linesOf({ title, says, findings, notes }: Outcome, output: Output): string[] {
  return [
    ...findings.map(({ question, ok, text }) => `${markOf(ok, output)}  ${question.padEnd(40)}  ${text}`),
    ...says.map(([name, value]) => `${name}: ${value}`),
    ...notes,
    output.paint('bold', title),
  ];
}
