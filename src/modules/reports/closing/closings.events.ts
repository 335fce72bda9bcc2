import { declareEvent, FILLED, type EventDeclaration } from '../../../kernel/declare-event.js';
import type { ClosingState } from './closing.entity.js';
import { ClaimClosingDto } from './closings.dto.js';

const eventOf = (kind: string, summary: string, example: Readonly<Record<string, unknown>>): EventDeclaration =>
  declareEvent({ kind, status: 'emitted', summary, data: ClaimClosingDto, collection: '/v1/claim-closings', example });

export const ClaimReviewed: EventDeclaration = eventOf('claim.reviewed', 'A claim was reviewed.', { state: 'reviewed' });
export const ClaimApproved: EventDeclaration = eventOf('claim.approved', 'A claim was approved, by another person.', { state: 'approved' });
export const ClaimFinal: EventDeclaration = eventOf('claim.final', 'A claim became final.', { state: 'final', version: 1, pack: FILLED });
export const ClaimCorrected: EventDeclaration = eventOf('claim.corrected', 'A final claim was replaced by a correction.', {
  ...{
    state: 'final',
    version: 2,
    reason: 'A statement was missing.',
    corrects: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d20',
    changes: FILLED,
    pack: FILLED,
  },
});
export const ClaimReopeningAsked: EventDeclaration = eventOf('claim.reopening_asked', 'A person asked to reopen a final claim.', {
  ...{ state: 'reopening', version: 1, reason: 'A statement was of another project.' },
});
export const ClaimReopened: EventDeclaration = eventOf('claim.reopened', 'A final claim was reopened, by two people.', {
  ...{ state: 'reopened', version: 1, reason: 'A statement was of another project.' },
});

export const CLOSING_EVENTS = [ClaimReviewed, ClaimApproved, ClaimFinal, ClaimCorrected, ClaimReopeningAsked, ClaimReopened];

const BY_STATE: Record<ClosingState, EventDeclaration> = {
  reviewed: ClaimReviewed,
  approved: ClaimApproved,
  final: ClaimFinal,
  reopening: ClaimReopeningAsked,
  reopened: ClaimReopened,
};

/** A correction is one event: it replaces a final claim. */
export const eventOfStep = ({ state, corrects }: { readonly state: ClosingState; readonly corrects: string | null }): EventDeclaration =>
  corrects === null ? BY_STATE[state] : ClaimCorrected;
