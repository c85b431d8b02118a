/** `scoreBand`, `score_band` and `score.band` give `ScoreBand`: a type, and everything public in Go. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
}

/** `readScore` gives `read_score`: a method in Python. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const TAKEN = /^(?:body|break|case|class|ctx|def|from|func|go|import|lambda|map|options|query|range|type)$/;

/** Names of arguments: as in the path, unless the language uses the word. */
export function argument(name: string): string {
  return TAKEN.test(name) ? `${name}_` : name;
}
