import { describe, expect, it } from 'vitest';
import { byHelm, byKustomize, OVERLAYS, WAYS_IN } from './support/kustomize.js';
import type { Manifest, Rendered } from './support/manifests.js';

/** Environment, ports and volumes: their order says nothing. */
const byName = (one: unknown, other: unknown): number =>
  (one as Manifest['metadata']).name < (other as Manifest['metadata']).name ? -1 : 1;

const isNamed = (value: unknown): boolean => typeof value === 'object' && value !== null && 'name' in value;

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = value.map(comparable);
    return all.every(isNamed) ? all.toSorted(byName) : all;
  }
  if (typeof value === 'string') return value.replace(/^claims-settings-\w{10}$/, 'claims-settings');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const made = comparable(each);
      // Kustomize writes the hash of settings into a name, and knows no hooks of Helm.
      if (/^(checksum|helm\.sh)\//.test(key)) return [];
      return key === 'annotations' && Object.keys(made as object).length === 0 ? [] : [[key, made]];
    }),
  );
}

const all = (rendered: Rendered): Record<string, unknown> =>
  Object.fromEntries(
    rendered.all.map((manifest) => {
      const made = comparable(manifest) as Manifest;
      return [`${manifest.kind} ${made.metadata.name}`, made];
    }),
  );

describe.each(OVERLAYS.flatMap((overlay) => WAYS_IN.map((way) => [overlay, way] as const)))('the chart for %s by %s', (overlay, way) => {
  const [ofChart, ofKustomize] = [all(byHelm(overlay, way)), all(byKustomize(overlay, way))];

  it('creates the same objects as the manifests', () => {
    expect(Object.keys(ofChart).toSorted()).toEqual(Object.keys(ofKustomize).toSorted());
    expect(Object.keys(ofChart)).toContain('NetworkPolicy claims-deny-by-default');
  });

  it.each(Object.keys(ofKustomize))('says the same of %s', (name) => {
    expect(ofChart[name]).toEqual(ofKustomize[name]);
  });
});
