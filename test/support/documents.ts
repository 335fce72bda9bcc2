import { packageJson } from '../../src/kernel/package-folder.js';
import type { WrittenLayout } from '../../tools/bank-tables/index.js';
import { SHIPPED } from '../../src/modules/statements/formats/csv/layouts/written-layout.js';
import { METRICS } from '../../src/kernel/metrics.js';
import type { ExtensionSettings } from '../../src/kernel/settings/extension-settings.js';
import { SECRET_SETTINGS } from '../../src/kernel/settings/secret-source.js';
import { SETTINGS } from '../../src/kernel/settings/settings.js';
import type { EventDeclaration } from '../../src/kernel/declare-event.js';
import type { JobRegistry } from '../../src/store/jobs/job-registry.js';
import { TOOL_SETS } from '../../src/api/operation/operation.js';
import type { Registry } from '../../src/api/operation/registry.js';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });
export const GENERATED = 'Generated from the code by `npm run contracts`.';

export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
export const code = (text: string | undefined): string => (text ? `\`${text}\`` : '');

/** docs/operations.md: every operation, with what it requires and does. */
export function operationsPage({ operations }: Registry): string {
  const rows = operations.map(({ id, capability, method, path, scope, role, plan, tool, emits, summary }) => [
    code(`${method} ${path}`),
    summary,
    `[${id}](/docs#/${capability}/${id})`,
    [scope && code(scope), role, plan].filter((least) => least !== undefined).join(', '),
    code(tool?.name),
    emits.map(({ kind }) => code(kind)).join(' '),
  ]);
  const head = ['Call', 'What it does', 'Id', 'Scope, role, plan', 'Tool', 'Emits'];
  const about =
    'Which scope and plan each operation needs, which tool it is for a language model, and which events ' +
    'it emits. Its id leads to Swagger UI, where you can try it. The role is the least of a person: in the console, and if an ' +
    'application acts for them; without one, any. API keys and client credentials have none.';
  return `# Operations\n\n${about}\n\n${GENERATED}\n\n${table(head, rows)}\n`;
}

/** docs/mcp.md with the tables of all tools. */
export function withTools(guide: string, { operations }: Registry): string {
  const CONFIRMED_BY = { read_only: '', write: code('confirm'), destructive: code('confirm_delete') };
  return [undefined, ...TOOL_SETS].reduce((text, set) => {
    const rows = operations.flatMap(({ summary, scope, role, plan, tool }) =>
      tool && tool.set === set
        ? [[code(tool.name), `${summary}. ${tool.says}`, code(scope), role ?? 'any', plan ?? 'any', CONFIRMED_BY[tool.risk]]]
        : [],
    );
    const shown = table(['Tool', 'What it does, as the model reads it', 'Scope', 'Role', 'Plan', 'Confirmed by'], rows);
    const [begin, end] = [`<!-- ${set ? `tools of ${set}` : 'tools'} -->`, `<!-- end of the tools${set ? ` of ${set}` : ''} -->`];
    return `${text.split(begin)[0]}${begin}\n\n${shown}\n\n${end}${text.split(end)[1]}`;
  }, guide);
}

/** docs/events.md: every event, and what emits it. */
export function eventsPage(registry: Registry, { jobs, daily }: JobRegistry): string {
  const { operations, events } = registry;
  const emitters = [...operations, ...jobs, ...daily];
  const readersOf = (event: EventDeclaration): string =>
    registry
      .readersOf(event)
      .map(({ scope, role }) => `${code(scope)}${role ? `, role ${role}` : ''}`)
      .join(' or ');
  const emittersOf = (event: EventDeclaration): string =>
    emitters
      .filter(({ emits }) => emits?.includes(event))
      .map(({ id }) => code(id))
      .join(' ');
  // An event of no operation or job is emitted when people change something: the operator, or a user of the console.
  const rows = events.map((event) => [
    code(event.kind),
    event.status,
    event.summary,
    readersOf(event),
    emittersOf(event) || (event.status === 'emitted' ? 'the operator or the console' : ''),
  ]);
  const about =
    'Which events there are, and what makes the service send each. How to receive them: ' +
    '[webhooks](webhooks.md).\n\n' +
    'An event is written in the same transaction as the change; its kind is also the action of the audit entry.\n\n' +
    'Given with: the scope that reads its record. Without it, an event is neither listed nor delivered: ' +
    '[who is given an event](webhooks.md#who-is-given-an-event).\n\n' +
    'Status: `emitted`; `planned`: reserved, not sent yet; `test`: sent only to test an endpoint.';
  return `# Events\n\n${about}\n\n${GENERATED}\n\n${table(['Kind', 'Status', 'What happened', 'Given with', 'Emitted by'], rows)}\n`;
}

/** docs/metrics.md: every metric, with its labels. */
export function metricsPage(): string {
  const declared = METRICS.getMetricsAsArray() as unknown as { name: string; type: string; help: string; labelNames: string[] }[];
  const rows = declared
    .filter(({ name }) => name.startsWith('claims_'))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ name, type, labelNames, help }) => [code(name), type, labelNames.map(code).join(' '), help]);
  const parts = [
    '# Metrics',
    GENERATED,
    'Every process answers `GET /metrics` on `METRICS_PORT`, in the text format of Prometheus. Nobody is asked for a credential there, ' +
      'so keep the port from the internet. Labels have values from short lists only, never what a caller has sent. Beside these there ' +
      'are the `process_…` and `nodejs_…` metrics of prom-client: memory, garbage collection, event loop, open files.',
    'The `surface` of a request is `api`, `sign_in`, `console`, `oauth`, `tools` (MCP), `pages` (every other page and document) or ' +
      '`other` (an address that there is not). Operations are those of the API; all else, and calls without a valid credential, has the ' +
      'operation `other`.',
    'The queues are in the database, and every worker reports all of them: take `max`, not `sum`. Of `webhook_deliveries`, the endpoints ' +
      'are counted that have due deliveries and that no worker holds: those that are held set their own pace. With `API_PROCESSES` ' +
      'or `WORKER_PROCESSES` the process above the others answers for all of them.',
    table(['Metric', 'Type', 'Labels', 'What it says'], rows),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** docs/statement-layouts.md: the layouts that are shipped, by country. */
export function layoutsPage(): string {
  const folders = [...new Set(SHIPPED.map(({ name }) => name.split('/')[0]!))];
  const shown = ({ name, width, amounts }: WrittenLayout): string =>
    code(name) + (width === undefined ? '' : ' (no header)') + (amounts === 'charges-positive' ? ' (charges positive)' : '');
  const rows = folders.map((folder) => [
    folder.length === 2 ? COUNTRIES.of(folder === 'uk' ? 'GB' : folder.toUpperCase())! : folder,
    SHIPPED.filter(({ name }) => name.startsWith(`${folder}/`))
      .map(shown)
      .join(', '),
  ]);
  const about =
    "Which banks' files are read without your own layout.\n\n" +
    `${SHIPPED.length} layouts are part of the program, with a sample each in \`test/statements\`. They are used for ` +
    'files with exactly their header. Those without a header are used only if they are named: `--layout ca/cibc`. ' +
    '`claims statement layout list` shows their columns.\n\n' +
    'How to write a layout: [bank-statements.md](bank-statements.md#layouts).';
  return `# Bank layouts\n\n${about}\n\n${GENERATED}\n\n${table(['Country', 'Layouts'], rows)}\n`;
}

/** docs/audit-actions.md: every action of the audit log. */
export function auditActionsPage({ events }: Registry): string {
  const emitted = events.filter(({ status }) => status === 'emitted').map(({ kind, summary }) => [kind, summary] as const);
  const rows = [...Object.entries(packageJson<Record<string, string>>('codes/audit-actions.json')), ...emitted].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const about =
    'Every `action` of the [audit log](audit-log.md), and what it tells. The kinds of [events](events.md) are ' + 'actions, too.';
  const shown = rows.map(([action, summary]) => [code(action), summary]);
  return `# Actions of the audit log\n\n${about}\n\n${GENERATED}\n\n${table(['Action', 'What happened'], shown)}\n`;
}

/** The table of settings in the README. */
export function settingsTable(settings: ExtensionSettings['declared'] = SETTINGS): string {
  const rows = Object.values(settings).map(({ name, shownDefault, about }) => [
    code(name),
    shownDefault.replaceAll('|', '\\|') || 'none',
    about.replaceAll('|', '\\|'),
  ]);
  return table(['Name', 'Default', 'What it is'], rows);
}

/** .env.example: every setting with its sentence and its default. In development, nobody sets NODE_ENV. */
export function envExample(): string {
  const settings = Object.values(SETTINGS).filter(({ name }) => name !== 'NODE_ENV');
  const blocks = settings.map(({ name, about, shownDefault }) => `# ${about}\n# Default: ${shownDefault || 'none'}\n#${name}=\n`);
  return `# Settings for development: copy this file to .env. Each setting is shown with its default.\n\n${blocks.join('\n')}`;
}

/** docs/settings.md of extensions: what they add to the table of the README. */
export function extensionSettingsPage(all: readonly ExtensionSettings[]): string {
  const tables = all.map(({ declared }) => settingsTable(declared));
  return `# Settings of extensions\n\n${GENERATED}\n\n${tables.join('\n\n')}\n`;
}

/** What a pod is, not how it works: the chart sets it. */
const OF_PODS = ['ROLE'];

/** The schema of the chart's values, with every setting that is no secret, and what it is. */
export function chartSchema(written: string): string {
  const schema = JSON.parse(written) as { definitions: { settings: { properties: object } } };
  const settings = Object.values(SETTINGS).filter(({ name }) => !OF_PODS.includes(name) && !SECRET_SETTINGS.includes(name as never));
  schema.definitions.settings.properties = Object.fromEntries(
    settings.map(({ name, about, shownDefault }) => [
      name,
      { description: `${about} Default: ${shownDefault || 'none'}.`, type: ['string', 'number', 'boolean', 'object'] },
    ]),
  );
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The alerts with the rules about service levels, for what takes one file. */
export const allRules = (alerts: string, rules: string): string =>
  `${alerts.trimEnd()}\n\n${rules.slice(rules.indexOf('groups:\n') + 'groups:\n'.length)}`;

/** The rules as an object of Kubernetes, which cannot refer to a file. */
export function prometheusRule(all: string): string {
  const groups = all.slice(all.indexOf('groups:')).trimEnd();
  return `# Generated from docker/prometheus by \`npm run contracts\`. Needs the Prometheus Operator.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: claims
  labels: { app.kubernetes.io/name: claims }
spec:
${groups.replace(/^(?=.)/gm, '  ')}
`;
}
