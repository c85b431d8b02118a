/** Strings, quoted names, comments and bodies between dollar signs; any other character. */
const PART = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|(\$\w*\$)[\s\S]*?\1|\/\*[\s\S]*?\*\/|[\s\S]/g;

/** The statements of a script. */
export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let text = '';
  for (const [part] of script.matchAll(PART)) {
    if (part === ';') {
      statements.push(text);
      text = '';
    } else if (!part.startsWith('--')) text += part;
  }
  return [...statements, text].map((each) => each.trim()).filter((each) => each !== '');
}
