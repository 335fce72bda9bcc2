import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHART, helm, templated, type Said } from '../../support/run-helm.js';
import { Rendered } from './manifests.js';

const PRODUCTION = ['--values', 'docker/helm/production.yaml'];

/** Runs with a file of values, beside those of production. */
function withValues<T>(values: object, run: (args: readonly string[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'claims-values-'));
  try {
    // JSON is YAML.
    writeFileSync(join(folder, 'values.yaml'), JSON.stringify(values));
    return run([...PRODUCTION, '--values', join(folder, 'values.yaml')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the chart creates in the namespace `claims` with these values, beside those of production. */
export const chart = (values: object, ...more: readonly string[]): Rendered =>
  withValues(values, (args) => new Rendered(templated('claims', ...args, ...more)));

export const lint = (values: object): Said => withValues(values, (args) => helm('lint', '--strict', CHART, ...args));
