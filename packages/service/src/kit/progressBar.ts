/** Where a program writes: a terminal, a pipe, a test. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  advance(count: number): void;
  end(): void;
}

const WIDTH = 40;

/** One line that grows on a terminal; elsewhere a line at each tenth. */
export function progressBar(output: Output, total: number): ProgressBar {
  let done = 0;
  let shownTenth = 0;
  return {
    advance(count) {
      done += count;
      const percent = Math.floor((done * 100) / total);
      const tenth = Math.floor(percent / 10);
      if (output.isTTY) {
        const filled = Math.floor((done * WIDTH) / total);
        output.write(`\r[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${percent} %`);
      } else if (tenth > shownTenth) output.write(`${percent} % (${done} of ${total})\n`);
      shownTenth = tenth;
    },
    end() {
      if (output.isTTY) output.write('\n');
    },
  };
}
