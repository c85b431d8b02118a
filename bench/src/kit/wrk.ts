import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder, startChild } from './scratch.js';
import { LIVE_KEY } from './server.js';

/** The result of a load. */
export interface LoadResult {
  /** Answers with a 2xx or 3xx status. */
  readonly answered: number;
  readonly perSecond: number;
  readonly refused: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Requests that are repeated in order. */
export interface LoadScript {
  readonly file: string;
}

/** Path of the load generator. Throws with the install command if it is missing. */
export function findWrk(): string {
  try {
    return execFileSync('/usr/bin/env', ['sh', '-c', 'command -v wrk'], { encoding: 'utf8' }).trim();
  } catch {
    throw new Error(
      'The load generator wrk is not installed. On Debian: apt-get update && apt-get install -y wrk',
    );
  }
}

/** POSTs of these bodies to `path`. */
export function postScript(path: string, bodies: readonly unknown[]): LoadScript {
  const lines = bodies.map((body) => JSON.stringify(body)).join('\n');
  return script(lines, `wrk.format("POST", "${path}", nil, line)`);
}

/** POSTs of these bodies to `path`, each with the key of a platform, in turn. */
export function postScriptOfKeys(
  path: string,
  bodies: readonly unknown[],
  keys: readonly string[],
): LoadScript {
  const lines = bodies.map((body, index) => `${keys[index % keys.length]} ${JSON.stringify(body)}`);
  const format = `wrk.format("POST", "${path}", { ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. line:match("^%S+") }, line:match(" (.*)$"))`;
  return script(lines.join('\n'), format);
}

/** GETs of these paths. */
export function getScript(paths: readonly string[]): LoadScript {
  return script(paths.join('\n'), 'wrk.format("GET", line)');
}

// Requests are prepared up front, so that the generator uses as little CPU as possible.
function script(lines: string, format: string): LoadScript {
  const folder = scratchFolder('wrk');
  const data = join(folder, 'requests.txt');
  const file = join(folder, 'load.lua');
  writeFileSync(data, lines);
  writeFileSync(
    file,
    `wrk.headers["Authorization"] = "Bearer ${LIVE_KEY}"
wrk.headers["Content-Type"] = "application/json"
local requests, sent = {}, 0
function init()
  for line in io.lines("${data}") do requests[#requests + 1] = ${format} end
end
function request()
  sent = sent % #requests + 1
  return requests[sent]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"durationUs":%d,"status":%d,"socket":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`,
  );
  return { file };
}

/** Loads the server for so many seconds with all connections busy. Throws if connections fail. */
export async function runLoad(
  url: string,
  load: LoadScript,
  options: { connections: number; seconds: number; threads?: number | undefined },
): Promise<LoadResult> {
  const { connections, seconds, threads = 1 } = options;
  const args = [
    `-t${threads}`,
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    load.file,
    url,
  ];
  const output = await startChild(findWrk(), args).output();
  const line = /^RESULT (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk printed no RESULT line:\n${output}`);
  const result = JSON.parse(line) as Record<
    'requests' | 'durationUs' | 'status' | 'socket' | 'p50' | 'p99',
    number
  >;
  if (result.socket > 0) throw new Error(`${result.socket} connections failed under load:\n${output}`);
  const answered = result.requests - result.status;
  return {
    answered,
    refused: result.status,
    perSecond: (answered * 1e6) / result.durationUs,
    medianMs: result.p50 / 1000,
    p99Ms: result.p99 / 1000,
  };
}
