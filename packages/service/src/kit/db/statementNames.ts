/**
 * Gives each statement text a name, so that every connection parses and plans it once. Bounded: each name is memory in
 * every server session, and texts beyond the bound (somebody builds SQL) still run, only unnamed.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #generation = 0;

  constructor(readonly limit = 500) {}

  /** The text's name, or undefined when there is no room for another. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= this.limit) return known;
    const name = `s${this.#generation}_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** Starts over with fresh names, because the sessions hold plans that no longer fit the tables. */
  forget(): void {
    this.#generation += 1;
    this.#names.clear();
  }
}
