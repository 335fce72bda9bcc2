import { declareEvent, FILLED, type EventDeclaration } from '../../../kernel/declare-event.js';
import type { ClosingState } from './closing.entity.js';
import { ClaimClosingDto } from './closings.dto.js';

const eventOf = (kind: string, summary: string, example: Readonly<Record<string, unknown>>): EventDeclaration =>
  declareEvent({ kind, status: 'emitted', summary, data: ClaimClosingDto, collection: '/v1/claim-closings', example });

const REOPENED = { version: 1, reason: 'A statement was of another project.' };

const BY_STATE: Record<ClosingState, EventDeclaration> = {
  reviewed: eventOf('claim.reviewed', 'A claim was reviewed.', { state: 'reviewed' }),
  approved: eventOf('claim.approved', 'A claim was approved, by another person.', { state: 'approved' }),
  final: eventOf('claim.final', 'A claim became final.', { state: 'final', version: 1, pack: FILLED }),
  reopening: eventOf('claim.reopening_asked', 'A person asked to reopen a final claim.', { state: 'reopening', ...REOPENED }),
  reopened: eventOf('claim.reopened', 'A final claim was reopened, by two people.', { state: 'reopened', ...REOPENED }),
};
const CORRECTED = eventOf('claim.corrected', 'A final claim was replaced by a correction.', {
  ...{ state: 'final', version: 2, reason: 'A statement was missing.', corrects: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d20' },
  ...{ changes: FILLED, pack: FILLED },
});

const { reviewed, approved, final, reopening, reopened } = BY_STATE;
export const CLOSING_EVENTS = [reviewed, approved, final, CORRECTED, reopening, reopened];

/** A correction is one event: it replaces a final claim. */
export const eventOfStep = ({ state, corrects }: { readonly state: ClosingState; readonly corrects: string | null }): EventDeclaration =>
  corrects === null ? BY_STATE[state] : CORRECTED;
