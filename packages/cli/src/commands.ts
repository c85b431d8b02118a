import type { Options } from './arguments.js';
import type { Command } from './command.js';
import { CommandError } from './commandError.js';
import { apiOptions } from './settings.js';

const json = { json: { help: 'prints the result as JSON' } } as const satisfies Options;
const group = { value: 'N', help: 'one ledger group' };

/** A command that is a program of the service. It parses its arguments itself. */
function operator(program: string, summary: string, more: Partial<Command> = {}): Command & Passed {
  return {
    summary,
    program,
    ...more,
    load: () => Promise.reject(new CommandError(`${program} is a program`)),
  };
}

/** Its arguments are passed on to a program of the service. */
export interface Passed {
  readonly program: string;
}

/** Every command by its name, in the order of the help. A name may have two words. */
export const commands: Readonly<Record<string, Command | (Command & Passed)>> = {
  start: operator('main', 'Start the service', {
    details:
      'Settings are environment variables: docs/CONFIGURATION.md lists them. Ctrl-C stops the service.\n' +
      'The first start creates a database in ./data and prints two keys.',
  }),
  demo: {
    summary: 'Start a second service with a year of sample data, and print where to look',
    options: {
      data: { value: 'FOLDER', help: 'folder of the demo; default: DEMO_DATA_DIR, then ./data-demo' },
      port: { value: 'PORT', help: 'port of the demo; default: DEMO_PORT, then 3900' },
      url: { value: 'ADDRESS', help: 'load the data into a service that runs, instead of starting one' },
      'admin-secret': { value: 'SECRET', help: 'the secret of its operator; default: ADMIN_SECRET' },
      exit: { help: 'stop the service once the data is loaded' },
      ...json,
    },
    load: async () => (await import('./demo/demo.js')).demo,
  },
  doctor: operator('doctor', 'Check everything that a start needs, and change nothing', {
    details:
      'Checks environment, port, disk, database, log, clock and keys. Each line that fails says what to do.\n' +
      'Run it with the environment of the service.',
    options: json,
  }),
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
      'dry-run': { help: 'prints the first events and the rows that would fail, and sends nothing' },
      ...json,
    },
    details:
      'The text may be UTF-8 or Windows-1252.\n' +
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
  backtest: operator('backtest', 'Compare scores with the outcomes that followed them', {
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
  }),
  migrate: operator('migrate', 'Migrate the database as the owner of the tables', { options: json }),
  'audit-ledger': operator('auditLedger', 'Rebuild every score from the events and report each difference', {
    options: { group, ...json },
  }),
  'accept-rollback': operator('acceptRollback', 'Accept that a restored backup lost leaves of the log', {
    usage: '[LEAVES]',
    options: {
      group,
      of: { value: 'ORIGIN', help: 'forget another log, which this one witnesses' },
      timeline: { value: 'N', help: 'use database servers on timeline N again, after a failover' },
      ...json,
    },
    details: 'Without LEAVES it says what is lost and changes nothing.',
  }),
  'rotate-data-key': operator('rotateDataKey', 'Encrypt the secrets in the database with a new DATA_KEY', {
    options: json,
    details: 'Set DATA_KEY to the new key and DATA_KEY_PREVIOUS to the present one. It can be interrupted.',
  }),
  'rotate-signing-key': operator('rotateSigningKey', 'Replace a key that signs', {
    options: {
      purpose: {
        value: 'PURPOSE',
        help: 'message (webhooks, default), credential, log or witness',
        choices: ['message', 'credential', 'log', 'witness'],
      },
      compromised: { help: 'signs with the new key at once and unpublishes the old one' },
      ...json,
    },
  }),
  groups: operator('groups', 'List the ledger groups, or add some', {
    options: { add: { value: 'N', help: 'adds N groups' }, ...json },
  }),
  distribute: operator('distribute', 'Distribute the ledger groups over the nodes of a Citus cluster', {
    options: { groups: { value: 'N', help: 'adds groups until there are N' }, ...json },
    details: 'The first run needs all processes of the service stopped. It can be run again.',
  }),
  'platform-move': operator('movePlatform', 'Move a platform to another ledger group, or say why not', {
    usage: '<platform> <group>',
    options: json,
    details: 'The platform has to be inactive and without a ledger.',
  }),
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
