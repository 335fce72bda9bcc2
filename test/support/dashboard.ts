import { readFile } from 'node:fs/promises';

const DASHBOARD = 'docker/grafana/claims.json';

export interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat?: string }[];
}

export async function panels(): Promise<Panel[]> {
  return (JSON.parse(await readFile(DASHBOARD, 'utf8')) as { panels: Panel[] }).panels;
}
