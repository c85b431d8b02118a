import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The ports of the clients that have a TCP connection to this process (Linux). */
export function clientPortsOf(pid: number): Set<number> {
  const sockets = new Set(socketsOf(pid));
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1);
  const ports = lines.flatMap((line) => {
    const [, , remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/);
    return sockets.has(inode) ? [Number.parseInt(remote.split(':')[1] ?? '0', 16)] : [];
  });
  return new Set(ports);
}

function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return []; // closed meanwhile
    }
  });
}
