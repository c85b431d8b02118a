import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { eventually } from '#harness/eventually.js';
import { findProgram } from '#harness/findProgram.js';
import { startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';

const deploy = fileURLToPath(new URL('../../../../deploy/', import.meta.url));
const read = (path: string) => readFileSync(`${deploy}${path}`, 'utf8');
const promtool = findProgram(['promtool']);
if (promtool === undefined)
  console.warn('promtool is not installed: the rules are not run (Debian: prometheus)');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const rules: Rule[] = parse(read('prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const dashboard: {
  panels: { title: string; targets?: { expr: string }[]; gridPos: Record<'x' | 'y' | 'w' | 'h', number> }[];
  templating: { list: { query: string; type: string }[] };
} = JSON.parse(read('grafana/reliability.json'));
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const variables = dashboard.templating.list.flatMap(({ type, query }) =>
  type === 'query' ? [query.replace(/^label_values\((.*), \w+\)$/, '$1')] : [],
);
const queries = [...rules.map(({ expr }) => expr), ...shown, ...variables];

/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance'];

/** The labels of each metric in an exposition. */
function metricsIn(text: string): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>([['up', new Set(ADDED)]]);
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      known.set(`${name}${suffix}`, new Set(ADDED));
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.get(name)?.add(label);
  return known;
}

/** Words of PromQL that are neither metrics nor labels. */
const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'on', 'ignoring']);

/** The metrics of a query, each with the labels that are asked of it or grouped by. */
function usesOf(query: string): { metric: string; labels: string[] }[] {
  const plain = query.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '');
  const grouped = [...plain.matchAll(/\b(?:by|without|on|ignoring) ?\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
  const asked = plain.replace(/\b(?:by|without|on|ignoring) ?\([^)]*\)/g, '');
  const uses = [...asked.matchAll(/\b([a-z_]\w*)\b(?! *\()(?:\{([^}]*)\})?/gi)].filter(
    ([, name = '']) => !WORDS.has(name),
  );
  return uses.map(([, metric = '', labels = '']) => ({
    metric,
    labels: [...grouped, ...[...labels.matchAll(/(\w+) ?(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)],
  }));
}

describe('the dashboard and the alert rules', () => {
  let service: TestService;
  let known: Map<string, Set<string>>;

  beforeAll(async () => {
    const receiver = await startReceiver();
    service = await startTestService('pglite', { env: { WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.1' } });
    const { request } = service;
    await request('GET', '/usage', { key: 'crd_live_unknown' });
    await request('POST', '/webhooks', { body: { url: receiver.url, events: ['score.updated'] } });
    await request('POST', '/events', { body: { userId: 'watched', eventType: 'CONTRACT_FULFILLED' } });
    let text = '';
    await eventually(async () => {
      text = (await request('GET', '!/metrics', { key: null })).text;
      return text.includes('delivery_attempts_total{');
    });
    known = metricsIn(text);
    await receiver.close();
  });
  afterAll(() => service?.close());

  test('use only metrics and labels that a running service has', () => {
    expect(queries.length).toBeGreaterThan(50);
    for (const query of queries) {
      const uses = usesOf(query);
      expect(uses.length, query).toBeGreaterThan(0);
      for (const { metric, labels } of uses) {
        const labelsOfMetric = known.get(metric);
        expect(labelsOfMetric, `${metric} in ${query}`).toBeDefined();
        for (const label of labels) expect([...(labelsOfMetric ?? [])], query).toContain(label);
      }
    }
  });

  test('the check would notice a metric or label that does not exist', () => {
    expect(usesOf('sum by (le) (rate(gone_total{job="a", state=~"b"}[5m])) / max(x) and y > 0')).toEqual([
      { metric: 'gone_total', labels: ['le', 'job', 'state'] },
      { metric: 'x', labels: ['le'] },
      { metric: 'y', labels: ['le'] },
    ]);
  });

  test('each alert has its section in MONITORING, and the tests of the rules cover each', () => {
    const page = readFileSync(`${deploy}../docs/MONITORING.md`, 'utf8');
    const tests = parse(read('prometheus/alerts.test.yaml')).tests as { name: string }[];
    const names = tests.map(({ name }) => name);
    for (const { alert, annotations } of rules) {
      expect(page).toContain(`\n### ${alert}\n`);
      expect(annotations.runbook).toBe(`docs/MONITORING.md#${alert.toLowerCase()}`);
      expect(names).toEqual(expect.arrayContaining([`${alert} fires`, `${alert} is silent`]));
    }
    const headings = [...page.matchAll(/^### (Reliability\w+)$/gm)].map(([, name]) => name);
    expect(headings.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  test('the panels have titles of their own and do not overlap', () => {
    const titles = dashboard.panels.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...cells.map((cell) => Number(cell.split(',')[0])))).toBeLessThan(24);
  });

  test.skipIf(promtool === undefined)('the rules pass their tests in promtool', async () => {
    const run = (...args: string[]) =>
      promisify(execFile)(String(promtool), args, { cwd: `${deploy}prometheus` });
    expect((await run('check', 'rules', 'alerts.yaml')).stdout).toContain(`${rules.length} rules found`);
    expect((await run('test', 'rules', 'alerts.test.yaml')).stdout).toContain('SUCCESS');
  });
});
