import { finished } from 'node:stream/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createClient } from '@reliability/client';
import { createToolServer } from '../../service/src/features/system/mcp/toolServer.js';
import { positionalsOf } from './arguments.js';
import type { Context } from './command.js';
import { exitCodes } from './exitCodes.js';
import { requireKey } from './settings.js';

declare const RELIABILITY_VERSION: string;

/** Serves the tools for agents over stdin and stdout, until the agent closes stdin. */
export async function mcp(context: Context): Promise<number> {
  positionalsOf(context.args);
  const { url, key } = await requireKey(context);
  const client = createClient({ baseUrl: url, key });
  const connection = serveStdio(() => createToolServer(client, RELIABILITY_VERSION), {
    onerror: (error) => process.stderr.write(`${error.message}\n`),
  });
  await finished(process.stdin, { writable: false });
  await connection.close();
  return exitCodes.done;
}
