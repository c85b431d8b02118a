import { readFileSync } from 'node:fs';
import { packageFile } from '#kit/packageFile.js';

/** A Markdown file of docs/. */
export interface GuideFile {
  readonly slug: string;
  /** From docs/. */
  readonly file: string;
  readonly title: string;
  readonly summary: string;
  readonly markdown: string;
}

interface GuideGroup {
  readonly name: string;
  readonly guides: readonly GuideFile[];
}

interface Listed {
  readonly slug: string;
  readonly file: string;
  /** For files without front matter. */
  readonly title?: string;
  readonly summary?: string;
}

const guide = (slug: string): Listed => ({ slug, file: `guide/${slug}.md` });

/** The menu: every guide, in reading order. */
const groups: readonly { readonly name: string; readonly guides: readonly Listed[] }[] = [
  { name: 'Start', guides: [guide('quickstart'), guide('first-hour'), guide('concepts')] },
  {
    name: 'Guides',
    guides: [
      guide('reporting'),
      guide('importing'),
      guide('confirmations'),
      guide('webhooks'),
      guide('people'),
      guide('credentials'),
      guide('going-live'),
    ],
  },
  {
    name: 'Recipes',
    guides: [
      guide('recipe-gigs'),
      guide('recipe-marketplace'),
      guide('recipe-agents'),
      guide('recipe-businesses'),
    ],
  },
  { name: 'Tools', guides: [guide('sdk'), guide('command-line'), guide('console')] },
  {
    name: 'Background',
    guides: [
      {
        slug: 'formula',
        file: 'FORMULA.md',
        title: 'Formula',
        summary: 'How outcomes become a score, with a worked example and every constant.',
      },
      {
        slug: 'proofs',
        file: 'PROOFS.md',
        title: 'Proofs',
        summary: 'The transparency log: verify a score or an event offline, and what a proof cannot show.',
      },
      {
        slug: 'operating',
        file: 'OPERATIONS.md',
        title: 'Operating',
        summary: 'Incidents, backup, upgrade and deployment.',
      },
      {
        slug: 'monitoring',
        file: 'MONITORING.md',
        title: 'Monitoring',
        summary: 'Metrics, alerts and traces.',
      },
      {
        slug: 'privacy',
        file: 'PRIVACY.md',
        title: 'Personal data',
        summary: 'How to erase a person and to drop free text by age.',
      },
      {
        slug: 'log',
        file: 'LOG.md',
        title: 'Running the log',
        summary: 'What to do when the transparency log stops, and witnesses.',
      },
      {
        slug: 'scaling',
        file: 'SCALING.md',
        title: 'Scaling',
        summary: 'Standby, replica, ledger groups and Citus: what to add, in which order.',
      },
      {
        slug: 'configuration',
        file: 'CONFIGURATION.md',
        title: 'Configuration',
        summary: 'Every environment variable, its default and its meaning.',
      },
      {
        slug: 'rules',
        file: 'RULES.md',
        title: 'Rules',
        summary: 'Every promise of the service, numbered.',
      },
      {
        slug: 'adversaries',
        file: 'ADVERSARIES.md',
        title: 'Adversaries',
        summary: 'How a record can be gamed, what it costs and what shows it.',
      },
      {
        slug: 'benchmarks',
        file: 'BENCHMARKS.md',
        title: 'Benchmarks',
        summary: 'Measured throughput, latency and memory.',
      },
    ],
  },
];

export function readGuides(): readonly GuideGroup[] {
  return groups.map(({ name, guides }) => ({
    name,
    guides: guides.map(readGuide),
  }));
}

function readGuide({ slug, file, title = slug, summary = '' }: Listed): GuideFile {
  const text = readFileSync(docsFile(file), 'utf8');
  const [, header = '', body = text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const lines = header.split('\n');
  const field = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  return {
    slug,
    file,
    title: field('title') ?? title,
    summary: field('summary') ?? summary,
    // The page shows its title itself.
    markdown: body.replace(/^\s*# .+\n+/, ''),
  };
}

/** `bundle.mjs` copies docs/ beside the programs. */
function docsFile(file: string): URL {
  return packageFile(import.meta.url.endsWith('.ts') ? `../../docs/${file}` : `dist/docs/${file}`);
}
