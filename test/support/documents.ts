import { AUDIT_ACTIONS } from '../../src/kernel/audit-actions.js';
import { SHIPPED } from '../../src/modules/statements/formats/csv/layouts/shipped-layouts.js';
import type { WrittenLayout } from '../../src/modules/statements/formats/csv/layouts/written-layout.js';
import { SETTINGS } from '../../src/kernel/settings/settings.js';
import type { EventDeclaration } from '../../src/kernel/declare-event.js';
import type { JobRegistry } from '../../src/store/jobs/job-registry.js';
import type { Registry } from '../../src/api/operation/registry.js';

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });
export const GENERATED = 'Generated from the code by `npm run contracts`.';

export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
export const code = (text: string | undefined): string => (text ? `\`${text}\`` : '');

/** docs/operations.md: every operation, with what it requires and does. */
export function operationsPage({ operations }: Registry): string {
  const rows = operations.map(({ id, method, path, scope, plan, tool, emits, summary }) => [
    code(`${method} ${path}`),
    summary,
    code(id),
    code(scope),
    plan ?? 'any',
    code(tool?.name),
    emits.map(({ kind }) => code(kind)).join(' '),
  ]);
  const head = ['Call', 'What it does', 'Id', 'Scope', 'Plan', 'Tool', 'Emits'];
  return `# Operations\n\n${GENERATED}\n\n${table(head, rows)}\n`;
}

/** docs/events.md: every event, and what emits it. */
export function eventsPage({ operations, events }: Registry, { jobs }: JobRegistry): string {
  const emitters = [...operations, ...jobs];
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
    emittersOf(event) || (event.status === 'emitted' ? 'the operator or the console' : ''),
  ]);
  const about =
    'An event is written in the same transaction as the change; its kind is also the action of the audit entry.\n\n' +
    'Status: `emitted`; `planned`: reserved, not sent yet; `test`: sent only to test an endpoint.';
  return `# Events\n\n${GENERATED}\n\n${about}\n\n${table(['Kind', 'Status', 'What happened', 'Emitted by'], rows)}\n`;
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
    `${SHIPPED.length} layouts are part of the program, with a sample each in \`test/statements\`. They are used for ` +
    'files with exactly their header. Those without a header are used only if they are named: `--layout ca/cibc`. ' +
    '`claims statement layout list` shows their columns.\n\n' +
    'How to write a layout: [bank-statements.md](bank-statements.md#layouts).';
  return `# Layouts of banks\n\n${GENERATED}\n\n${about}\n\n${table(['Country', 'Layouts'], rows)}\n`;
}

/** docs/audit-actions.md: every action of the audit log. */
export function auditActionsPage({ events }: Registry): string {
  const emitted = events.filter(({ status }) => status === 'emitted').map(({ kind, summary }) => [kind, summary] as const);
  const rows = [...Object.entries(AUDIT_ACTIONS), ...emitted].sort(([a], [b]) => (a < b ? -1 : 1));
  const about = 'What the `action` of an audit event can be. The kinds of [events](events.md) are actions, too.';
  const shown = rows.map(([action, summary]) => [code(action), summary]);
  return `# Actions of the audit log\n\n${GENERATED}\n\n${about}\n\n${table(['Action', 'What happened'], shown)}\n`;
}

/** The table of settings in the README. */
export function settingsTable(): string {
  const rows = Object.values(SETTINGS).map(({ name, shownDefault, about }) => [
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
