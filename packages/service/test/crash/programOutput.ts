import { runEntry } from './serverProcess.js';

/** What a program prints. Throws if it fails. */
export async function textOf(
  name: string,
  env: Record<string, string>,
  args: string[] = [],
): Promise<string> {
  const program = runEntry(name, env, args);
  let text = '';
  for (const output of [program.stdout, program.stderr]) {
    output?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const code = await new Promise((resolve) => program.once('close', resolve));
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}:\n${text}`);
  return text;
}
