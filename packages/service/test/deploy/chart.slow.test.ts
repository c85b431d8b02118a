import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { findProgram } from '#harness/findProgram.js';
import { scratchFolder } from '#harness/scratchFolder.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const chart = join(root, 'deploy/helm/reliability');
const read = (path: string) => readFileSync(join(chart, path), 'utf8');
const defaults = parse(read('values.yaml'));
const isValid = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
  JSON.parse(read('values.schema.json')),
);
const hasGo = findProgram(['go']) !== undefined;
if (!hasGo) console.warn('Go is not installed: the Helm chart is not rendered');

type Values = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: manifests of all kinds, read by path
type Manifest = any;

/** Changed values over the defaults, as Helm merges them. */
function merged(base: Values, more: Values): Values {
  const result: Values = { ...base };
  for (const [name, value] of Object.entries(more))
    result[name] = isMap(value) && isMap(base[name]) ? merged(base[name] as Values, value as Values) : value;
  return result;
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('the values of the Helm chart', () => {
  test('fit their schema as they are', () => {
    expect(isValid(defaults), JSON.stringify(isValid.errors)).toBe(true);
  });

  test.each([
    ['a misspelt name', { api: { replica: 3 } }],
    ['no replicas', { worker: { replicas: 0 } }],
    ['a secret among the variables', { env: { DATA_KEY: 'in the clear' } }],
    ['a number among the variables', { env: { IMPORT_MAX_ROWS: 5 } }],
    ['an address without a scheme', { baseUrl: 'scores.example.com' }],
  ])('are refused with %s', (_, more) => {
    expect(isValid(merged(defaults, more))).toBe(false);
  });
});

describe.skipIf(!hasGo)('the manifests of the Helm chart', () => {
  const folder = scratchFolder('reliability-chart-');
  const program = join(folder, 'render');
  beforeAll(() => {
    const source = fileURLToPath(new URL('./go/renderChart.go', import.meta.url));
    const env = { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOCACHE: join(folder, 'cache') };
    execFileSync('go', ['build', '-o', program, source], { env });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function rendered(more: Values = {}): Manifest[] {
    const Values = merged(defaults, more);
    expect(isValid(Values), JSON.stringify(isValid.errors)).toBe(true);
    const { name, version, appVersion } = parse(read('Chart.yaml'));
    const input = JSON.stringify({
      Values,
      Release: { Name: 'scores', Service: 'Helm', Namespace: 'default' },
      Chart: { Name: name, Version: version, AppVersion: appVersion },
    });
    const output = execFileSync(program, [join(chart, 'templates')], { input, stdio: 'pipe' }).toString();
    const files = Object.entries(JSON.parse(output) as Record<string, string>);
    return files
      .filter(([file]) => file.endsWith('.yaml'))
      .flatMap(([, text]) => parseAllDocuments(text))
      .map((document) => document.toJS())
      .filter((manifest) => manifest !== null);
  }

  const everything = {
    baseUrl: 'https://scores.example.com',
    env: { LOG_LEVEL: 'debug', IMPORT_MAX_ROWS: '1000' },
    imagePullSecrets: [{ name: 'registry' }],
    podAnnotations: { team: 'trust' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    api: { autoscaling: { enabled: true } },
    ingress: {
      enabled: true,
      className: 'nginx',
      host: 'scores.example.com',
      tlsSecretName: 'certificate',
      annotations: { a: 'b' },
    },
    serviceMonitor: { enabled: true },
  };

  test.each([
    ['as they are', {}],
    ['with everything that is optional', everything],
  ])('fit the schemas of Kubernetes %s', (_, more) => {
    const kinds = { Deployment, HorizontalPodAutoscaler, Ingress, Job, PodDisruptionBudget, Service };
    const manifests = rendered(more);
    expect(manifests.length).toBeGreaterThan(5);
    for (const manifest of manifests) {
      if (manifest.kind === 'ServiceMonitor') continue; // of the Prometheus Operator
      const Kind = kinds[manifest.kind as keyof typeof kinds];
      expect(Kind, manifest.kind).toBeDefined();
      const made = new Kind(manifest);
      expect([made.apiVersion, made.kind]).toEqual([manifest.apiVersion, manifest.kind]);
      made.validate();
    }
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  const deployments = (more: Values = {}) =>
    Object.fromEntries(
      rendered(more)
        .filter(({ kind }) => kind === 'Deployment')
        .map((it) => [it.metadata.labels['app.kubernetes.io/component'], it]),
    );

  test('run api and worker, each found by its own selector and no other', () => {
    const { api, worker } = deployments();
    for (const [role, { spec }] of Object.entries({ api, worker }) as [string, Manifest][]) {
      const [container] = spec.template.spec.containers;
      expect(container.env).toContainEqual({ name: 'ROLE', value: role });
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(container.envFrom).toEqual([{ secretRef: { name: 'reliability' } }]);
      expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
    }
    expect(api.spec.selector).not.toEqual(worker.spec.selector);
    const service = rendered().find(({ kind }) => kind === 'Service');
    expect(api.spec.template.metadata.labels).toMatchObject(service.spec.selector);
    expect(worker.spec.template.metadata.labels).not.toMatchObject(service.spec.selector);
    const budgets = rendered().filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budgets.map(({ spec }) => spec.selector)).toEqual([api.spec.selector, worker.spec.selector]);
  });

  test('probe addresses that the service has, on the port that the image listens on', () => {
    const [container] = deployments().api.spec.template.spec.containers;
    const operations = readFileSync(join(root, 'packages/service/test/data/contract.tsv'), 'utf8');
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      const { path, port } = container[probe].httpGet;
      expect(operations).toContain(`\tGET ${path}\t`);
      expect(port).toBe(container.ports[0].name);
    }
    const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
    expect(image).toContain(`EXPOSE ${container.ports[0].containerPort}\n`);
    expect(deployments().worker.spec.template.spec.containers[0].livenessProbe).toBeUndefined();
  });

  test('give the password of the owner to the migration alone, which runs before the pods', () => {
    const manifests = rendered();
    const migration = manifests.find(({ kind }) => kind === 'Job');
    expect(migration.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const [{ command, envFrom }] = migration.spec.template.spec.containers;
    expect(envFrom.map(({ secretRef }: Manifest) => secretRef.name)).toContain('reliability-migration');
    const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true });
    expect(command).toEqual(compose.services.migrate.command);
    const others = manifests.filter((manifest) => manifest !== migration);
    expect(JSON.stringify(others)).not.toContain('reliability-migration');
    const without = rendered({ migration: { enabled: false } });
    expect(without.some(({ kind }) => kind === 'Job')).toBe(false);
  });

  test('leave the number of api pods to the autoscaler, and set the variables', () => {
    const { api, worker } = deployments(everything);
    expect(api.spec.replicas).toBeUndefined();
    expect(worker.spec.replicas).toBe(2);
    expect(api.spec.template.spec.containers[0].env).toEqual(
      expect.arrayContaining([
        { name: 'BASE_URL', value: 'https://scores.example.com' },
        { name: 'IMPORT_MAX_ROWS', value: '1000' },
      ]),
    );
  });

  test('are refused where an ingress has no host', () => {
    expect(() => rendered({ ingress: { enabled: true } })).toThrow('ingress.host is required');
  });
});
