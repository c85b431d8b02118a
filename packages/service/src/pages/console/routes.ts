import { extname } from 'node:path';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { ownFilesPolicy, staticText } from '#kit/http/fixedDocument.js';
import { MAX_ADDRESS, pathText } from '#kit/http/query.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import { HTML } from '../hosted/pageRoutes.js';
import { readConsoleFiles } from './consoleFiles.js';

type Answerer = ReturnType<typeof staticText>;

const PAGE_TYPE = 'text/html; charset=utf-8';
/** By the ending of the file: the build makes no others. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': PAGE_TYPE,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
/** RULES K14. */
const PAGE_HEADERS = { 'Content-Security-Policy': ownFilesPolicy(), 'Cache-Control': 'no-cache' };

const filePath = z.object({
  rest: pathText(MAX_ADDRESS),
});

/** The files of the web console. */
export function consolePages({ config }: Pick<ServiceDeps, 'config'>): RouteTable {
  if (!config.console) return {};
  let loaded: Promise<ReadonlyMap<string, Answerer>> | undefined;
  const file = async (path: string): Promise<Answerer> => {
    loaded ??= loadFiles();
    const files = await loaded.catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    const found = path.startsWith('assets/') ? files.get(path) : files.get('index.html');
    return found ?? fail('NOT_FOUND', { message: 'The console has no such file. Reload the page.' });
  };
  const common = { access: everyone, sameOrigin: true, unmetered: true, tag: 'Console' } as const;
  return {
    'GET !/console': route({
      ...common,
      operationId: 'openConsole',
      answers: { 200: HTML, 304: null },
      handle: async (context) => (await file('index.html'))(context),
    }),
    'GET !/console/{rest}': route({
      ...common,
      operationId: 'loadConsoleFile',
      params: filePath,
      answers: {
        200: { media: [...HTML.media, ...SCRIPTS] },
        304: null,
      },
      errors: ['NOT_FOUND'],
      handle: async (context) => (await file(context.params.rest))(context),
    }),
  };
}

const SCRIPTS = [{ type: 'text/javascript' }, { type: 'text/css' }, { type: 'image/svg+xml' }];

async function loadFiles(): Promise<ReadonlyMap<string, Answerer>> {
  const files = [...(await readConsoleFiles())];
  return new Map(files.map(([path, bytes]) => [path, answererOf(path, bytes)]));
}

function answererOf(path: string, bytes: Buffer): Answerer {
  const type = MEDIA_TYPES[extname(path)];
  if (type === undefined) throw new Error(`the console has a file of an unknown type: ${path}`);
  return staticText(type, bytes, type === PAGE_TYPE ? PAGE_HEADERS : FOREVER);
}
