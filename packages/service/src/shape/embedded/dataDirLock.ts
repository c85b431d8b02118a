import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '#kit/db/errors.js';
import type { DatabaseLog } from '#kit/db/types.js';

export class DataDirLockedError extends Error {
  override readonly name = 'DataDirLockedError';

  constructor(
    readonly dataDir: string,
    readonly holderPid: number | undefined,
  ) {
    const holder = holderPid === undefined ? 'another process' : `process ${holderPid}`;
    super(`the data folder ${dataDir} is in use by ${holder}; stop it or set another DATA_DIR`);
  }
}

/**
 * Locks the folder for this process (two at once lose rows) and creates it if needed. The lock is a
 * listening socket, so it ends with its process, however that ends, and a busy process keeps it.
 * Throws DataDirLockedError, which names the folder and the holder.
 */
export async function lockDataDir(dataDir: string, log: DatabaseLog): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(dataDir);
  const servers: Server[] = [];
  const release = async () => {
    for (const server of servers.splice(0)) await promisify(server.close.bind(server))();
  };
  try {
    const name = systemWideName(folder);
    if (name !== undefined) servers.push(await listening(name));
    if (process.platform !== 'win32') servers.push(...(await listenInside(folder, log)));
    await writeFile(pidFile(folder), `${process.pid}\n`);
  } catch (error) {
    await release();
    if (codeOf(error) === 'EADDRINUSE') throw new DataDirLockedError(dataDir, await holderOf(folder));
    throw error;
  }
  return {
    async release() {
      await rm(pidFile(folder), { force: true });
      await release();
    },
  };
}

// A name that the operating system keeps unique and releases: abstract sockets of Linux, pipes of
// Windows.
function systemWideName(folder: string): string | undefined {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  if (process.platform === 'linux') return `\0reliability-data-${hash}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\reliability-data-${hash}`;
  return undefined;
}

// An abstract socket is not visible in other containers; a socket file is visible in all that share
// the folder.
async function listenInside(folder: string, log: DatabaseLog): Promise<Server[]> {
  const path = join(folder, 'lock.sock');
  try {
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH) throw new Error('the path is too long for a socket'); // Node would truncate it
    if (await isAnswering(path)) throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
    await rm(path, { force: true }); // left by a dead process
    return [await listening(path)];
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw error;
    log.info(
      { err: error, path },
      'no lock across containers: the file system does not support socket files',
    );
    return [];
  }
}

async function isAnswering(path: string): Promise<boolean> {
  const socket = connect(path);
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

async function listening(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  return server.unref();
}

async function holderOf(folder: string): Promise<number | undefined> {
  const text = await readFile(pidFile(folder), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) ? pid : undefined;
}

function pidFile(folder: string): string {
  return join(folder, 'service.pid');
}

// The smallest sun_path (macOS: 104 bytes) without its final zero.
const MAX_SOCKET_PATH = 103;
