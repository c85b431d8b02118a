/** The output of a program: a terminal, a pipe, a test. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export type ProgressBar = ReturnType<typeof progressBar>;

const WIDTH = 40;

/** One growing line on a terminal; elsewhere a line for each tenth. */
export function progressBar(output: Output, total: number) {
  let done = 0;
  let printedTenth = 0;
  return {
    advance(count: number): void {
      done += count;
      const percent = Math.floor((done * 100) / total);
      const tenth = Math.floor(percent / 10);
      if (output.isTTY) {
        const filled = Math.floor((done * WIDTH) / total);
        output.write(`\r[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${percent} %`);
      } else if (tenth > printedTenth) output.write(`${percent} % (${done} of ${total})\n`);
      printedTenth = tenth;
    },
    end(): void {
      if (output.isTTY) output.write('\n');
    },
  };
}
