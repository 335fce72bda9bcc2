import type { Actor, ChangeContext, Environment } from './request-context.js';

/** Who changes settings outside the API: the operator at the command line, or the program itself. */
export type SettingsActor = Actor;

export const OPERATOR: SettingsActor = { type: 'system', id: null, name: 'claims command' };

/** The service's own workers, where they change something of a tenant by themselves. */
export const DISPATCHER: SettingsActor = { type: 'system', id: null, name: 'webhook dispatcher' };
export const REDACTION_WORKER: SettingsActor = { type: 'system', id: null, name: 'redaction worker' };
export const REPORT_WORKER: SettingsActor = { type: 'system', id: null, name: 'report worker' };

/** The context of a change that no API call makes. */
export function settingsContext(organizationId: string, actor: SettingsActor, environment: Environment | null = null): ChangeContext {
  return { organizationId, environment, actor, requestId: null, ipAddress: null, emits: [] };
}
