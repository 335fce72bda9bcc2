export { planPending, Planner, type PlannedMigration, type PlannedStatement } from './plan-migrations.js';
export { nameOf, readOnly, recordMigration, type Migration, type RecordedMigration } from './record-migration.js';
export type { Effect } from './statement-rules.js';
