/**
 * Gives each statement text a name, so that each connection parses and plans it once. Limited,
 * because each name takes memory in every server session. Texts beyond the limit (dynamic SQL) run
 * unnamed.
 */
export class StatementNames {
  readonly #known = new Map<string, { name: string; text: string }>();
  #generation = 0;

  /** @param rewrite gives the text that is sent. */
  constructor(
    readonly limit = 500,
    readonly rewrite: (text: string) => string = (text) => text,
  ) {}

  /** The text to send, and its name; undefined beyond the limit. */
  of(text: string): { name?: string; text: string } {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= this.limit) return { text: this.rewrite(text) };
    const name = `s${this.#generation}_${this.#known.size}`;
    const named = { name, text: this.rewrite(text) };
    this.#known.set(text, named);
    return named;
  }

  /** Starts over with new names, because the plans in the sessions no longer fit the tables. */
  forget(): void {
    this.#generation += 1;
    this.#known.clear();
  }
}
