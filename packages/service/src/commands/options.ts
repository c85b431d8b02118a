import { parseArgs } from 'node:util';

export interface Option {
  /** Name of its value in the help: `FILE`. Without it the option is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly multiple?: boolean;
  readonly choices?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

type Values<Known extends Options> = {
  [Name in keyof Known]?: Known[Name] extends { value: string } ? string : boolean;
};

export function parseConfigOf(options: Options) {
  const config = Object.entries(options).map(([name, { value, multiple = false }]) => {
    const short = name === 'help' ? { short: 'h' } : {};
    return [name, { type: value ? ('string' as const) : ('boolean' as const), multiple, ...short }];
  });
  return { options: Object.fromEntries(config), allowPositionals: true };
}

export function readArguments<Known extends Options>(
  { options, usage }: { options: Known; usage?: string },
  args: readonly string[] = process.argv.slice(2),
): { values: Values<Known>; positionals: readonly string[] } {
  const config = { ...parseConfigOf(options), args: [...args], allowPositionals: usage !== undefined };
  const { values, positionals } = parseArgs(config);
  return { values: values as Values<Known>, positionals };
}

const json = { json: { help: 'prints the result as JSON' } } as const satisfies Options;
const group = { value: 'N', help: 'one ledger group' } as const;

/** The commands that are programs of the service, for their arguments, the help and completions. */
export const programs = {
  doctor: {
    summary: 'Check everything that a start needs, and change nothing',
    details:
      'Checks environment, port, disk, database, log, clock and keys. Each line that fails says what to do.\n' +
      'Run it with the environment of the service.',
    options: json,
  },
  backtest: {
    summary: 'Compare scores with the outcomes that followed them',
    options: {
      platform: { value: 'ID', help: 'id or name of one platform; default: all' },
      by: {
        value: 'CLOCK',
        help: 'recorded (default), or outcome for imported history',
        choices: ['recorded', 'outcome'],
      },
      from: { value: 'DAY', help: 'first cut-off, YYYY-MM-DD; default: the day of the first event' },
      to: { value: 'DAY', help: 'last possible cut-off; default: the last whose horizon has ended' },
      every: { value: 'DAYS', help: 'days between two cut-offs; default: 30' },
      horizon: { value: 'DAYS', help: 'days after a cut-off whose outcomes count; default: 90' },
      model: { value: 'FILE', help: 'JSON file with other constants of the formula, to compare' },
      html: { value: 'FILE', help: 'writes the report as a page with pictures' },
      json: { help: 'prints the report as JSON; with a FILE behind it, writes it there' },
    },
  },
  migrate: { summary: 'Migrate the database as the owner of the tables', options: json },
  auditLedger: {
    summary: 'Rebuild every score from the events and report each difference',
    options: { group, ...json },
  },
  acceptRollback: {
    summary: 'Accept that a restored backup lost leaves of the log',
    usage: '[LEAVES]',
    options: {
      group,
      of: { value: 'ORIGIN', help: 'forget another log, which this one witnesses' },
      timeline: { value: 'N', help: 'use database servers on timeline N again, after a failover' },
      ...json,
    },
    details: 'Without LEAVES it says what is lost and changes nothing.',
  },
  rotateDataKey: {
    summary: 'Encrypt the secrets in the database with a new DATA_KEY',
    options: json,
    details: 'Set DATA_KEY to the new key and DATA_KEY_PREVIOUS to the present one. It can be interrupted.',
  },
  rotateSigningKey: {
    summary: 'Replace a key that signs',
    options: {
      purpose: {
        value: 'PURPOSE',
        help: 'message (webhooks, default), credential, log or witness',
        choices: ['message', 'credential', 'log', 'witness'],
      },
      compromised: { help: 'signs with the new key at once and unpublishes the old one' },
      ...json,
    },
  },
  groups: {
    summary: 'List the ledger groups, or add some',
    options: { add: { value: 'N', help: 'adds N groups' }, ...json },
  },
  distribute: {
    summary: 'Distribute the ledger groups over the nodes of a Citus cluster',
    options: { groups: { value: 'N', help: 'adds groups until there are N' }, ...json },
    details: 'The first run needs all processes of the service stopped. It can be run again.',
  },
  movePlatform: {
    summary: 'Move a platform to another ledger group, or say why not',
    usage: '<platform> <group>',
    options: json,
    details: 'The platform has to be inactive and without a ledger.',
  },
} as const satisfies Readonly<
  Record<string, { summary: string; usage?: string; details?: string; options: Options }>
>;
