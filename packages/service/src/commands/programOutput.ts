export interface ProgramOutput {
  /** A line for people. With --json it goes to stderr. */
  say(line: string): void;
  /** The result as JSON on stdout, with --json alone. */
  result(value: unknown): void;
}

export function programOutput(isJson = false): ProgramOutput {
  return {
    say: (line) => (isJson ? console.error(line) : console.log(line)),
    result(value) {
      if (isJson) console.log(JSON.stringify(value, null, 2));
    },
  };
}
