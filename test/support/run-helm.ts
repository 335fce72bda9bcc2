import { spawnSync } from 'node:child_process';

export const CHART = 'docker/helm/claims-api';

/** What Helm says: its output, or its error. */
export interface Said {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Helm, 3.17 or later. */
export function helm(...args: readonly string[]): Said {
  const { status, stdout, stderr, error } = spawnSync('helm', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error) throw new Error('Helm is missing: install 3.17 or later, and put it on the PATH.', { cause: error });
  return { ok: status === 0, stdout, stderr };
}

/** What `helm install` would create with these files of values and arguments. */
export function templated(namespace: string, ...args: readonly string[]): string {
  const said = helm('template', 'claims', CHART, '--namespace', namespace, ...args);
  if (!said.ok) throw new Error(said.stderr);
  return said.stdout;
}
