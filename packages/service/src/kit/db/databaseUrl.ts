export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s;
const DEFAULT_PORT = 5432;
/** The values of libpq's target_session_attrs that a service which writes can use. */
const WRITABLE = ['read-write', 'primary'];

/** May name several servers as libpq does. Throws Error, whose message has no password. */
export function parseDatabaseUrl(text: string) {
  const [, scheme = '', user = '', servers = '', rest = ''] = PARTS.exec(text) ?? [];
  const urls = servers.split(',').map((server) => scheme + user + server + rest);
  if (scheme === '' || !urls.every((url) => URL.canParse(url))) {
    throw new Error(
      'must be a URL such as postgres://user:password@host:5432/name; separate several servers by commas',
    );
  }
  const [first = ''] = urls;
  const target = new URL(first).searchParams.get('target_session_attrs');
  if (target !== null && !WRITABLE.includes(target)) {
    throw new Error('must not contain this target_session_attrs: the service writes, so use read-write');
  }
  return {
    url: first,
    servers: urls.map(addressOf),
    mustAcceptWrites: urls.length > 1 || target !== null,
  };
}

function addressOf(url: string): ServerAddress {
  const { hostname, port } = new URL(url);
  return {
    host: decodeURIComponent(hostname.replace(/^\[|\]$/g, '')),
    port: port === '' ? DEFAULT_PORT : Number(port),
  };
}

export function urlOfNode(databaseUrl: string, { host, port }: ServerAddress): string {
  const url = new URL(parseDatabaseUrl(databaseUrl).url);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = String(port);
  url.searchParams.delete('target_session_attrs');
  return url.href;
}
