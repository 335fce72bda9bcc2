import { declareChange, type EventDeclaration } from '../../kernel/declare-event.js';
import { ClaimProjectDto } from './projects.dto.js';

const OF = { kind: 'claim_project', one: 'A claim project', data: ClaimProjectDto, collection: '/v1/claim-projects' };
export const ClaimProjectCreated: EventDeclaration = declareChange(OF, 'created');
export const ClaimProjectUpdated: EventDeclaration = declareChange(OF, 'updated');
