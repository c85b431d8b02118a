import { type Options, programs } from '../../service/src/commands/options.js';
import type { Command } from './command.js';
import { CommandError } from './commandError.js';
import { apiOptions } from './settings.js';

const json = { json: { help: 'prints the result as JSON' } } as const satisfies Options;
/** A command that is a program of the service. It parses its arguments itself. */
function operator(program: string, declared: Omit<Command, 'load'>): Command & Passed {
  return { ...declared, program, load: () => Promise.reject(new CommandError(`${program} is a program`)) };
}

function operatorOf(program: keyof typeof programs): Command & Passed {
  return operator(program, programs[program]);
}

/** Its arguments are passed on to a program of the service. */
export interface Passed {
  readonly program: string;
}

/** Every command by its name, in the order of the help. A name may have two words. */
export const commands: Readonly<Record<string, Command | (Command & Passed)>> = {
  start: operator('main', {
    summary: 'Start the service',
    details:
      'Settings are environment variables: docs/CONFIGURATION.md lists them. Ctrl-C stops the service.\n' +
      'The first start creates a database in ./data and prints two keys.',
  }),
  demo: {
    summary: 'Start a second service that has lived a year, and print where to look',
    options: {
      data: { value: 'FOLDER', help: 'folder of the demo; default: DEMO_DATA_DIR, then ./data-demo' },
      port: { value: 'PORT', help: 'port of the demo; default: PORT, then 3900' },
      exit: { help: 'stop the service once the demo is made' },
      ...json,
    },
    details:
      'The first start lives through a year in some seconds; later ones change nothing. HOST, PORT, BASE_URL,\n' +
      'TRUST_PROXY and the WEBHOOK_… variables are those of `start`; of all others the demo takes none.',
    load: async () => (await import('./demo/demo.js')).demo,
  },
  doctor: operatorOf('doctor'),
  'events send': {
    summary: 'Report one outcome by options, or many from JSON',
    usage: '[FILE]',
    callsApi: true,
    options: {
      user: { value: 'ID', help: 'your id of the subject' },
      type: {
        value: 'TYPE',
        help: 'what happened',
        choices: [
          'CONTRACT_FULFILLED',
          'CONTRACT_BREACHED',
          'CONTRACT_CANCELLED',
          'TRANSACTION_COMPLETED',
          'TRANSACTION_CANCELLED',
          'TRANSACTION_DISPUTED',
          'REVIEW_VERIFIED',
          'DISPUTE_RESOLVED_FOR_USER',
        ],
      },
      verified: { help: 'a party other than the subject confirmed it' },
      due: { value: 'TIME', help: 'when it was due: 2026-03-01T17:00:00Z' },
      completed: { value: 'TIME', help: 'when it happened' },
      stake: { value: 'LEVEL', help: 'HIGH, MEDIUM or LOW', choices: ['HIGH', 'MEDIUM', 'LOW'] },
      value: { value: 'AMOUNT', help: 'your own amount; never scored' },
      metadata: { value: 'JSON', help: 'your own references, as a JSON object' },
      'idempotency-key': { value: 'KEY', help: 'a repeat with the same key writes nothing' },
      ...json,
    },
    details:
      'FILE is JSON (one event, or a list) or NDJSON; - reads stdin. Fields are those of POST /events.\n\n' +
      '  reliability events send --user worker-1 --type CONTRACT_FULFILLED --verified\n' +
      '  cat events.ndjson | reliability events send -',
    load: async () => (await import('./sendEvents.js')).sendEvents,
  },
  score: {
    summary: 'Read a score',
    usage: '<id>',
    callsApi: true,
    options: json,
    load: async () => (await import('./score.js')).score,
  },
  explain: {
    summary: 'Explain a score, factor by factor, as a waterfall',
    usage: '<id>',
    callsApi: true,
    options: {
      'as-of': { value: 'DAY', help: 'the score of what had happened by a day, YYYY-MM-DD' },
      ...json,
    },
    load: async () => (await import('./explain.js')).explain,
  },
  'record-link': {
    summary: 'Make the link with which a person reads their own record',
    usage: '<id>',
    callsApi: true,
    options: {
      hours: { value: 'N', help: 'how long it opens, 1 to 720; default: 72' },
      language: {
        value: 'LANGUAGE',
        help: 'of the page; default: that of the browser',
        choices: ['en', 'de'],
      },
      withdraw: { value: 'ID', help: 'withdraws the link with this id instead' },
      ...json,
    },
    details:
      'On the page the person sees how the score came about, objects to outcomes and downloads everything\n' +
      'that is held about them. It needs no account. The address is shown only once.',
    load: async () => (await import('./recordLink.js')).recordLink,
  },
  reviews: {
    summary: 'List what people object to in their records, or answer',
    usage: '[list|answer <id>]',
    callsApi: true,
    choices: ['list', 'answer'],
    options: {
      status: {
        value: 'STATUS',
        help: 'for list: only these; default: all',
        choices: ['OPEN', 'ANSWERED', 'WITHDRAWN'],
      },
      outcome: {
        value: 'OUTCOME',
        help: 'for answer: what came of it',
        choices: ['UPHELD', 'CORRECTED', 'PARTLY'],
      },
      text: { value: 'TEXT', help: 'for answer: the reasons, for the person; default: stdin' },
      reviewer: { value: 'NAME', help: 'for answer: the person who decided' },
      ...json,
    },
    details:
      'UPHELD: the record was right and stays. An answer moves no score: to correct the record, open a dispute,\n' +
      'ask for a confirmation or report the outcome that is missing.\n\n' +
      '  reliability reviews --status OPEN\n' +
      '  reliability reviews answer ID --outcome UPHELD --reviewer "Mara Lindt" < answer.txt',
    load: async () => (await import('./reviews.js')).reviews,
  },
  import: {
    summary: 'Import a CSV file',
    usage: '<file.csv>',
    callsApi: true,
    options: {
      mapping: { value: 'FILE', help: 'JSON file with the rules that turn rows into events' },
      separator: {
        value: 'NAME',
        help: 'comma, semicolon or tab; default: recognised by the first rows',
        choices: ['comma', 'semicolon', 'tab'],
      },
      encoding: {
        value: 'NAME',
        help: 'utf-8, windows-1252, utf-16le or utf-16be; default: recognised',
        choices: ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'],
      },
      dates: {
        value: 'FORMAT',
        help: 'of dates whose rule has no transform, where the file does not show which',
        choices: ['iso_date', 'day_month_year', 'month_day_year'],
      },
      decimals: {
        value: 'FORMAT',
        help: 'the same of amounts',
        choices: ['decimal_point', 'decimal_comma'],
      },
      detect: { help: 'prints how the file is written, and sends nothing' },
      'dry-run': { help: 'prints the first events and the rows that would fail, and sends nothing' },
      ...json,
    },
    details:
      'Encoding, separator, dates and decimal signs are recognised and printed. Where a date or an amount can\n' +
      'be read in two ways, the command asks for --dates or --decimals.\n' +
      'Sending the same file again imports nothing twice. If you send a changed file, only rows with an\n' +
      'idempotencyKey in the mapping are skipped. Failed rows and reasons go to FILE.errors.csv.',
    load: async () => (await import('./import/importFile.js')).importFile,
  },
  listen: {
    summary: 'Forward events to a webhook receiver on this machine, signed',
    callsApi: true,
    options: {
      'forward-to': { value: 'URL', help: 'where to post: http://localhost:4000/hook' },
      types: { value: 'TYPES', help: 'only these, separated by commas; default: all' },
      secret: {
        value: 'SECRET',
        help: 'signs with this secret (whsec_…); default: a new one, which is printed',
      },
      'message-signature': {
        help: 'also signs by RFC 9421, with a key that a directory on this machine publishes',
      },
      resume: { value: 'ID', help: 'begins after this envelope' },
      ...json,
    },
    details:
      'Takes the live stream of the key, so no firewall has to be opened. A test key gets test events.\n' +
      'Connects again by itself and resumes. Ctrl-C ends it and prints how to resume.',
    load: async () => (await import('./listen/listen.js')).listen,
  },
  trigger: {
    summary: 'Cause an event in test mode',
    usage: '<type>',
    callsApi: true,
    options: json,
    choices: [
      'score.updated',
      'score.band_changed',
      'monitor.triggered',
      'policy.threshold_crossed',
      'dispute.resolved',
      'import.completed',
      'screening.completed',
      'key.created',
    ],
    details:
      'Needs a test key. Writes test data about a new subject, so webhooks, streams and `reliability listen`\n' +
      'get the real event. `DELETE /test/data` removes the data.',
    load: async () => (await import('./trigger/trigger.js')).trigger,
  },
  verify: {
    summary: 'Verify a score proof, a receipt or a credential offline',
    usage: '<file>',
    options: {
      key: {
        value: 'VKEY',
        help: 'verifier key of the log, kept from an earlier day; repeat it after a change of key',
        multiple: true,
      },
      witness: {
        value: 'VKEY',
        help: 'verifier key of a witness that has to have cosigned; repeat it for each',
        multiple: true,
      },
      quorum: { value: 'N', help: 'how many of these witnesses suffice; default: all' },
      kept: {
        value: 'FILE',
        help: 'a receipt, proof or checkpoint of another day: nothing was changed since',
      },
      consistency: {
        value: 'FILE',
        help: 'answer of GET /log/consistency for the two sizes, which --kept needs',
      },
      'max-age': { value: 'MINUTES', help: 'fails if nothing shows that the checkpoint is this recent' },
      did: { value: 'FILE', help: 'for a credential: /.well-known/did.json of the issuer' },
      'status-list': { value: 'FILE', help: 'for a credential: its status list' },
      url: {
        value: 'ADDRESS',
        help: 'for a credential: reads what is not given as a file from this service',
      },
      ...json,
    },
    details:
      'FILE is the answer of GET /events/{id}/receipt (also as .tlog-proof), of GET /users/{id}/score/proof,\n' +
      'or a credential (JWT). - reads stdin. Nothing is sent anywhere.\n' +
      'The key of the log is vkey in /.well-known/ledger-log.json.',
    load: async () => (await import('./verify/verify.js')).verifyFile,
  },
  mcp: {
    summary: 'Serve the tools for agents over stdin and stdout (Model Context Protocol)',
    callsApi: true,
    details:
      'For the settings of an agent: the command `reliability mcp`, with RELIABILITY_URL and RELIABILITY_KEY.\n' +
      'Its tools read, explain and project scores, report outcomes, ask for confirmations and verify proofs,\n' +
      'within the scopes of the key. Ends when the agent closes stdin. The service has the same at POST /mcp.',
    load: async () => (await import('./mcp.js')).mcp,
  },
  backtest: operatorOf('backtest'),
  migrate: operatorOf('migrate'),
  'audit-ledger': operatorOf('auditLedger'),
  'accept-rollback': operatorOf('acceptRollback'),
  'rotate-data-key': operatorOf('rotateDataKey'),
  'rotate-signing-key': operatorOf('rotateSigningKey'),
  groups: operatorOf('groups'),
  distribute: operatorOf('distribute'),
  'platform-move': operatorOf('movePlatform'),
  profile: {
    summary: 'Save the address and key of a service, list or remove them',
    usage: '<list|save|remove>',
    callsApi: true,
    choices: ['list', 'save', 'remove'],
    options: json,
    details:
      'Profiles are in ~/.config/reliability/profiles.json, which only you may read (mode 600).\n' +
      '`save` takes the key from --key, RELIABILITY_KEY or stdin.\n\n' +
      '  reliability profile save --profile staging --url https://scores.example < key.txt',
    load: async () => (await import('./profile.js')).profile,
  },
  completion: {
    summary: 'Print completions for a shell',
    usage: '<bash|zsh|fish>',
    choices: ['bash', 'zsh', 'fish'],
    details:
      '  bash: reliability completion bash > ~/.local/share/bash-completion/completions/reliability\n' +
      '  zsh:  reliability completion zsh > ~/.zsh/completions/_reliability   (a folder of your fpath)\n' +
      '  fish: reliability completion fish > ~/.config/fish/completions/reliability.fish',
    load: async () => (await import('./completion.js')).completionOf(commands, optionsOf),
  },
};

/** Its own options, and those of every command that calls the service. */
export function optionsOf({ options = {}, callsApi }: Command): Options {
  return { ...options, ...(callsApi && apiOptions), help: { help: 'prints this help' } };
}
