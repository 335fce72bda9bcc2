import { SETTINGS } from '../../src/kernel/settings/settings.js';
import type { EventDeclaration } from '../../src/kernel/declare-event.js';
import type { JobRegistry } from '../../src/store/jobs/job-registry.js';
import type { Registry } from '../../src/api/operation/registry.js';

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const code = (text: string | undefined): string => (text ? `\`${text}\`` : '');

/** docs/operations.md: every operation with what it needs and does. */
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
  return `# Operations\n\nMade from the code; \`npm run contracts\` makes it anew.\n\n${table(['Call', 'What it does', 'Id', 'Scope', 'Plan', 'Tool', 'Emits'], rows)}\n`;
}

/** docs/events.md: every event and who emits it. */
export function eventsPage({ operations, events }: Registry, { jobs }: JobRegistry): string {
  const emitters = [...operations, ...jobs];
  const emittersOf = (event: EventDeclaration): string =>
    emitters
      .filter(({ emits }) => emits?.includes(event))
      .map(({ id }) => code(id))
      .join(' ');
  // What no operation or job emits is emitted by the settings, which are neither.
  const rows = events.map((event) => [
    code(event.kind),
    event.status,
    event.summary,
    emittersOf(event) || (event.status === 'emitted' ? 'the settings' : ''),
  ]);
  return `# Events\n\nMade from the code; \`npm run contracts\` makes it anew. An event is written in the transaction of its change; its kind is also the action of the change's audit row.\n\n${table(['Kind', 'Status', 'What happened', 'Emitted by'], rows)}\n`;
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
