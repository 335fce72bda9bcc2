import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { templated } from '../../support/run-helm.js';
import { kustomize } from '../../support/run-kustomize.js';
import { Rendered } from './manifests.js';

export const OVERLAYS = ['staging', 'production'] as const;
export const WAYS_IN = ['gateway', 'ingress'] as const;
export type Overlay = (typeof OVERLAYS)[number];
export type WayIn = (typeof WAYS_IN)[number];

const MAKERS = { kustomize: byKustomize, Helm: byHelm };

/**
 * Tests for each overlay, with each way in, as kustomize and as the chart makes it. Without kustomize or Helm all fail, and say what to
 * install.
 */
export function describeOverlays(title: string, tests: (overlay: Overlay, rendered: Rendered) => void, makers = Object.keys(MAKERS)): void {
  const all = makers.flatMap((maker) => OVERLAYS.flatMap((overlay) => WAYS_IN.map((way) => [overlay, way, maker] as const)));
  describe.each(all)(`${title} %s by %s, made by %s`, (overlay, way, maker) => tests(overlay, MAKERS[maker as 'Helm'](overlay, way)));
}

/** An overlay, in which the way in is changed as its comment says. */
export function byKustomize(overlay: Overlay, way: WayIn): Rendered {
  const folder = mkdtempSync(join(tmpdir(), 'claims-overlay-'));
  try {
    cpSync('docker/kubernetes', folder, { recursive: true });
    const file = join(folder, 'overlays', overlay, 'kustomization.yaml');
    const written = readFileSync(file, 'utf8');
    const chosen = written.replace(/^components: \[.*\]$/m, `components: [../../${way}]`);
    if (!written.includes('components: [../../gateway]')) throw new Error(`${overlay} has no line with its way in.`);
    writeFileSync(file, chosen);
    return new Rendered(kustomize(join(folder, 'overlays', overlay)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The namespace of an overlay is made before the chart is installed: docs/helm.md. */
export function byHelm(overlay: Overlay, way: WayIn): Rendered {
  const namespace = readFileSync(`docker/kubernetes/overlays/${overlay}/namespace.yaml`, 'utf8');
  const { name } = new Rendered(namespace).of('Namespace')[0]!.metadata;
  const entry = way === 'gateway' ? [] : ['--set', 'entry.by=ingress,entry.class=traefik'];
  return new Rendered(`${namespace}\n---\n${templated(name, '--values', `docker/helm/${overlay}.yaml`, ...entry)}`);
}
