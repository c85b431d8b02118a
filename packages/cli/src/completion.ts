import type { Options } from '../../service/src/commands/options.js';
import { positionalsOf } from './arguments.js';
import type { Command, Run } from './command.js';
import { UsageError } from './commandError.js';
import { exitCodes } from './exitCodes.js';

/** Prints the completions of a shell, made from the table of commands. */
export function completionOf(
  commands: Readonly<Record<string, Command>>,
  optionsOf: (command: Command) => Options,
): Run {
  const entries = Object.entries(commands).map(([name, command]) =>
    entryOf(name, command, optionsOf(command)),
  );
  return async ({ args, output }) => {
    const { shell } = positionalsOf(args, 'shell');
    const script = { bash, zsh, fish }[shell];
    if (!script) throw new UsageError(`completion needs bash, zsh or fish, not '${shell}'.`);
    const text = script(wordsOf(entries));
    output.result({ shell, script: text }, [text]);
    return exitCodes.done;
  };
}

interface Entry {
  name: string;
  summary: string;
  /** Values of the first argument. Null: a file or free text. */
  choices: readonly string[];
  options: { flag: string; help: string; takesValue: boolean; isFile: boolean; choices: readonly string[] }[];
}

const FILES = new Set(['FILE', 'FOLDER']);

function entryOf(name: string, { summary, choices = [] }: Command, options: Options): Entry {
  return {
    name,
    summary,
    choices,
    options: Object.entries(options).map(([option, { value, help, choices: values = [] }]) => ({
      flag: `--${option}`,
      help,
      takesValue: value !== undefined,
      isFile: FILES.has(value ?? ''),
      choices: values,
    })),
  };
}

interface Words {
  entries: readonly Entry[];
  /** `events` stands for `events send`. */
  firstWords: readonly string[];
  /** First words that need a second one, and what may follow them. */
  groups: readonly (readonly [word: string, seconds: readonly string[]])[];
}

function wordsOf(entries: readonly Entry[]): Words {
  const firstWords = [...new Set(entries.map(({ name }) => name.split(' ')[0] ?? ''))];
  const secondsOf = (first: string) =>
    entries.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
  const groups = firstWords.map((word) => [word, secondsOf(word)] as const);
  return { entries, firstWords, groups: groups.filter(([, seconds]) => seconds.length > 0) };
}

function bash({ entries, firstWords, groups }: Words): string {
  const cases = entries.flatMap(({ name, options, choices }) => [
    `    ${JSON.stringify(name)})`,
    '      case "$prev" in',
    ...options.flatMap(({ flag, takesValue, isFile, choices: values }) =>
      takesValue
        ? [
            `        ${flag}) ${isFile ? '_reliability_files' : `COMPREPLY=($(compgen -W ${quote(values.join(' '))} -- "$cur"))`}; return ;;`,
          ]
        : [],
    ),
    '      esac',
    `      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ${quote(options.map(({ flag }) => flag).join(' '))} -- "$cur"))`,
    choices.length > 0
      ? `      else COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$cur")); fi ;;`
      : '      else _reliability_files; fi ;;',
  ]);
  return `# bash completion of reliability
_reliability_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$cur"))
}
_reliability() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} name=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${quote([...firstWords, 'help'].join(' '))} -- "$cur")); return
  fi
  case "$name" in
${groups
  .map(
    ([word, seconds]) => `    ${word})
      if ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W ${quote(seconds.join(' '))} -- "$cur")); return; fi
      name="$name \${COMP_WORDS[2]}" ;;`,
  )
  .join('\n')}
  esac
  case "$name" in
${cases.join('\n')}
  esac
}
complete -F _reliability reliability`;
}

function zsh({ entries, groups }: Words): string {
  const described = entries.filter(({ name }) => !name.includes(' '));
  return `#compdef reliability
_reliability() {
  local -a commands
  commands=(
${[
  ...described.map(({ name, summary }) => [name, summary]),
  ...groups.map(([word, seconds]) => [word, seconds.join(', ')]),
]
  .map(([name = '', summary = '']) => `    ${quote(`${name}:${summary}`)}`)
  .join('\n')}
  )
  if ((CURRENT == 2)); then _describe command commands; return; fi
  local name=$words[2]
  shift words; ((CURRENT--))
  case $name in
${groups
  .map(
    ([word, seconds]) => `    ${word})
      if ((CURRENT == 2)); then compadd -- ${seconds.join(' ')}; return; fi
      name="$name $words[2]"; shift words; ((CURRENT--)) ;;`,
  )
  .join('\n')}
  esac
  case $name in
${entries.map(zshCase).join('\n')}
  esac
}
_reliability "$@"`;
}

function zshCase({ name, options, choices }: Entry): string {
  const specs = options.map(({ flag, help, takesValue, isFile, choices: values }) => {
    const text = help.replace(/[[\]\\]/g, '\\$&').replaceAll(':', '\\:');
    const action = isFile
      ? ':file:_files'
      : values.length > 0
        ? `:value:(${values.join(' ')})`
        : takesValue
          ? ':value: '
          : '';
    return quote(`${flag}[${text}]${action}`);
  });
  const rest = choices.length > 0 ? `:value:(${choices.join(' ')})` : '*:file:_files';
  return `    ${JSON.stringify(name)}) _arguments ${[...specs, quote(rest)].join(' ')} ;;`;
}

function fish({ entries, firstWords, groups }: Words): string {
  const lines = ['# fish completion of reliability', 'complete -c reliability -f'];
  for (const word of firstWords) {
    const seconds = groups.find(([first]) => first === word)?.[1] ?? [];
    const summary = entries.find(({ name }) => name === word)?.summary ?? seconds.join(', ');
    lines.push(`complete -c reliability -n __fish_use_subcommand -a ${quote(word)} -d ${quote(summary)}`);
    for (const second of seconds) {
      const isMissing = `__fish_seen_subcommand_from ${word}; and not __fish_seen_subcommand_from ${second}`;
      lines.push(`complete -c reliability -n ${quote(isMissing)} -a ${quote(second)}`);
    }
  }
  for (const { name, options, choices } of entries) {
    const words = name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const seen = quote(words.join('; and '));
    if (choices.length > 0) lines.push(`complete -c reliability -n ${seen} -a ${quote(choices.join(' '))}`);
    for (const { flag, help, takesValue, isFile, choices: values } of options) {
      const argument = isFile
        ? ' -r -F'
        : values.length > 0
          ? ` -x -a ${quote(values.join(' '))}`
          : takesValue
            ? ' -x'
            : '';
      lines.push(`complete -c reliability -n ${seen} -l ${flag.slice(2)}${argument} -d ${quote(help)}`);
    }
    if (choices.length === 0) lines.push(`complete -c reliability -n ${seen} -F`);
  }
  return lines.join('\n');
}

/** For every shell: single quotes, in which nothing is expanded. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
