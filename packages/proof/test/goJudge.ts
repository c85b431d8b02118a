import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Debian's packages golang-go and golang-golang-x-mod-dev. Their sources are here, so nothing is downloaded. */
const environment = {
  ...process.env,
  GO111MODULE: 'off',
  GOPATH: '/usr/share/gocode',
  GOFLAGS: '',
  GOCACHE: join(tmpdir(), 'reliability-go-cache'),
};
export const hasGo =
  spawnSync('go', ['list', 'golang.org/x/mod/sumdb/tlog'], { env: environment }).status === 0;
if (!hasGo)
  console.warn(
    'Go or golang.org/x/mod is not installed (apt-get install golang-go golang-golang-x-mod-dev): the check by others’ code is skipped.',
  );

/** The program of the folder `go`, which judges cases with Go's implementation of transparency logs. */
export interface GoJudge {
  /** A verdict for each case: "ok", or why it is refused. */
  judge(cases: readonly object[]): string[];
  close(): void;
}

/** Builds the program. Needs Go. */
export function startGoJudge(): GoJudge {
  const folder = mkdtempSync(join(tmpdir(), 'reliability-go-'));
  const program = join(folder, 'judge');
  const source = fileURLToPath(new URL('./go/main.go', import.meta.url));
  execFileSync('go', ['build', '-o', program, source], { env: environment });
  return {
    judge(cases) {
      const input = cases.map((each) => `${JSON.stringify(each)}\n`).join('');
      return execFileSync(program, { input, maxBuffer: 2 ** 26 })
        .toString()
        .trimEnd()
        .split('\n');
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
