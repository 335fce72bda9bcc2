import { readFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';

/** How fast a budget is spent, and what is done about it. */
interface Burn {
  readonly severity: string;
  readonly long: string;
  readonly short: string;
  readonly factor: number;
}

export interface Level {
  readonly slo: string;
  readonly alert: string;
  readonly about: string;
  /** In percent. */
  readonly objective: number;
  readonly minimum: number;
  /** Rates of events; `$window` is their range. */
  readonly bad: string;
  readonly all: string;
}

export interface ServiceLevels {
  readonly days: number;
  readonly burns: readonly Burn[];
  readonly levels: readonly Level[];
}

const LEVELS = 'docker/prometheus/slo.yaml';
const SECONDS = { m: 60, h: 3600 };
/** Where an operator who says nothing finds the runbooks. */
export const RUNBOOKS = '{{ or $externalLabels.runbooks "docs/runbooks.md" }}';

export const serviceLevels = async (): Promise<ServiceLevels> => parse(await readFile(LEVELS, 'utf8')) as ServiceLevels;

export const secondsOf = (range: string): number => Number.parseInt(range, 10) * SECONDS[range.at(-1) as keyof typeof SECONDS];

export const budgetOf = ({ objective }: Level): number => Number((1 - objective / 100).toFixed(6));

const within = (expr: string, range: string): string => expr.replaceAll('$window', range);

/** docker/prometheus/slo-rules.yaml: what Prometheus computes of each level, and the alerts about budgets that are spent too fast. */
export function sloRules({ days, burns, levels }: ServiceLevels): string {
  const ranges = burns.flatMap(({ short, long }) => [short, long]);
  const groups = [
    { name: 'claims-slo', rules: levels.flatMap((level) => recordings(level, ranges)) },
    { name: 'claims-slo-budget', interval: '5m', rules: levels.map((level) => budget(level, days)) },
    { name: 'claims-slo-alerts', rules: levels.flatMap((level) => burns.map((burn) => alertOf(level, burn))) },
  ];
  const text = stringify({ groups }, { lineWidth: 0, aliasDuplicateObjects: false });
  return `# Generated from docker/prometheus/slo.yaml by \`npm run contracts\`.\n${text}`;
}

function recordings({ slo, bad, all }: Level, ranges: readonly string[]): object[] {
  const labels = { slo };
  const ratios = ranges.map((range) => ({
    record: `claims:slo_errors:ratio_rate${range}`,
    expr: `(${within(bad, range)}) / (${within(all, range)})`,
    labels,
  }));
  // Of days, these are added up: a rate over a range of so many days would read every sample of every series.
  return [
    { record: 'claims:slo_bad:rate5m', expr: within(bad, '5m'), labels },
    { record: 'claims:slo_all:rate5m', expr: within(all, '5m'), labels },
    ...ratios,
  ];
}

/** 1: nothing is spent; 0: all is; below: the objective is missed. */
function budget(level: Level, days: number): object {
  const sumOf = (name: string): string => `sum_over_time(claims:slo_${name}:rate5m{slo="${level.slo}"}[${days}d])`;
  const expr = `1 - ${sumOf('bad')} / ${sumOf('all')} / ${budgetOf(level)}`;
  return { record: 'claims:slo_budget:left', expr, labels: { slo: level.slo } };
}

function alertOf(level: Level, { severity, long, short, factor }: Burn): object {
  const { slo, alert, about, bad, minimum, objective } = level;
  const threshold = Number((factor * budgetOf(level)).toFixed(6));
  const burning = [long, short].map((range) => `claims:slo_errors:ratio_rate${range}{slo="${slo}"} > ${threshold}`);
  const enough = `(${within(bad, long)}) * ${secondsOf(long)} >= ${minimum}`;
  return {
    alert,
    expr: [...burning, `on (namespace) ${enough}`].join('\n  and '),
    labels: { severity, slo, burn: severity === 'page' ? 'fast' : 'slow' },
    annotations: {
      summary: `{{ $value | humanizePercentage }} within ${long} are not as promised (${objective} %): ${about}`,
      runbook_url: `${RUNBOOKS}#${alert.toLowerCase()}`,
    },
  };
}
