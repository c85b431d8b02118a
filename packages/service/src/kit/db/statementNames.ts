/**
 * Gives each statement text a name, so that each connection parses and plans it once. Limited,
 * because each name takes memory in every server session. Texts beyond the limit (dynamic SQL) run
 * unnamed.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #generation = 0;

  /** @param prefix distinguishes the names of several handles on one connection. */
  constructor(
    readonly limit = 500,
    readonly prefix = 's',
  ) {}

  /** The name of the text, or undefined beyond the limit. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= this.limit) return known;
    const name = `${this.prefix}${this.#generation}_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** Starts over with new names, because the plans in the sessions no longer fit the tables. */
  forget(): void {
    this.#generation += 1;
    this.#names.clear();
  }
}
