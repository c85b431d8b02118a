import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '#kit/http/metrics.js';
import { Status } from '../../src/features/system/system/schemas.js';
import { variables } from '../../src/start/config.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/OPERATIONS.md');
const monitoring = read('docs/MONITORING.md');

/** The code spans in the first column of the table under a heading. */
function tableUnder(heading: string): string[] {
  const [, section = ''] = monitoring.split(`\n## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

describe('the page for operators', () => {
  test('explains every metric and no other', async () => {
    // Some metrics exist only after an event; GC pauses only on some Node versions.
    const names = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(tableUnder('Metrics').sort()).toEqual(names.sort());
  });

  test('has a remedy for each check in each state', () => {
    const [, section = ''] = page.split('\n## Troubleshoot\n');
    const advice = section.split('\n## ')[0] ?? '';
    const checks = Object.entries(Status.shape.checks.shape);
    expect(checks.length).toBeGreaterThan(2);
    for (const [name, check] of checks) {
      expect(advice).toContain(`**\`${name}\``);
      for (const state of check.shape.status.options) {
        if (state !== 'ok') expect(advice, name).toContain(`\`${state}\``);
      }
    }
  });

  test('has no dead links', () => {
    const anchors = [...page.matchAll(/^###? (.+)$/gm)].map(([, title = '']) => {
      return `#${title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-')}`;
    });
    const links = [...page.matchAll(/\]\((#[^)]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
  });
});

describe('the containers', () => {
  test('set only variables that the service knows', () => {
    const compose = read('compose.yaml');
    const names = [...compose.matchAll(/^ {2,6}([A-Z][A-Z0-9_]*):/gm)].map(([, name = '']) => name);
    const image = [...read('Dockerfile').matchAll(/\b([A-Z_]+)=\S/g)].map(([, name = '']) => name);
    const others = new Set([
      'POSTGRES_USER',
      'POSTGRES_PASSWORD',
      'POSTGRES_DB',
      'APPLICATION_PASSWORD',
      'NODE_ENV',
    ]);
    expect(names).toContain('DATA_KEY');
    const known = new Set(Object.keys(variables));
    expect([...names, ...image].filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
  });

  test('require the secrets and contain none', () => {
    const compose = read('compose.yaml');
    for (const name of ['DATA_KEY', 'ADMIN_SECRET', 'POSTGRES_PASSWORD', 'APPLICATION_PASSWORD']) {
      expect(compose).toMatch(new RegExp(`\\$\\{${name}:\\?`));
    }
    expect(read('Dockerfile')).not.toMatch(/^(ENV|ARG).*(SECRET|KEY|PASSWORD|TOKEN)/m);
  });

  test('run the service as npm start does', () => {
    const flags = ['--heap-growing-percent=100', '--max-semi-space-size=32'];
    const { scripts } = JSON.parse(read('package.json'));
    expect(scripts.start).toBe(`exec node ${flags.join(' ')} packages/cli/reliability.mjs start`);
    const [, words = ''] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
    expect(JSON.parse(words)).toEqual(['node', ...flags, 'packages/service/dist/main.js']);
  });

  test('run on Node 24, in every stage', () => {
    const lines = [...read('Dockerfile').matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)];
    const stages = lines.map(([, , name]) => name);
    const bases = lines.map(([, base]) => base).filter((base) => !stages.includes(base));
    expect(new Set(bases)).toEqual(new Set(['node:24-slim']));
  });

  test('copy the manifest of every workspace, which npm ci needs', () => {
    const manifests = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`);
    for (const manifest of [...manifests, 'bench/package.json'].filter((path) =>
      existsSync(join(root, path)),
    )) {
      expect(read('Dockerfile')).toContain(`COPY ${manifest} `);
    }
  });
});
