import { SETTINGS } from '../../src/kernel/settings/settings.js';
import type { EventDeclaration } from '../../src/kernel/declare-event.js';
import type { JobRegistry } from '../../src/store/jobs/job-registry.js';
import type { Registry } from '../../src/api/operation/registry.js';

const GENERATED = 'Generated from the code by `npm run contracts`.';

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const code = (text: string | undefined): string => (text ? `\`${text}\`` : '');

/** docs/operations.md: every operation with its scope, plan, tool and events. */
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

/** docs/events.md: every event, and the operations or jobs that emit it. */
export function eventsPage({ operations, events }: Registry, { jobs }: JobRegistry): string {
  const emitters = [...operations, ...jobs];
  const emittersOf = (event: EventDeclaration): string =>
    emitters
      .filter(({ emits }) => emits?.includes(event))
      .map(({ id }) => code(id))
      .join(' ');
  // Events without an operation or job come from the operator's commands.
  const rows = events.map((event) => [
    code(event.kind),
    event.status,
    event.summary,
    emittersOf(event) || (event.status === 'emitted' ? 'the operator' : ''),
  ]);
  const about = "An event is written in the transaction of its change. Its kind is also the action of the change's audit event.";
  return `# Events\n\n${GENERATED} ${about}\n\n${table(['Kind', 'Status', 'What happened', 'Emitted by'], rows)}\n`;
}

/** The README's table of settings. */
export function settingsTable(): string {
  const rows = Object.values(SETTINGS).map(({ name, shownDefault, about }) => [
    code(name),
    shownDefault.replaceAll('|', '\\|') || 'none',
    about.replaceAll('|', '\\|'),
  ]);
  return table(['Name', 'Default', 'What it is'], rows);
}
