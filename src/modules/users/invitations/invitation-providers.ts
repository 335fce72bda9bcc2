import { AcceptanceService } from './acceptance.service.js';
import { InvitationMail } from './invitation-mail.js';
import { InvitationsService } from './invitations.service.js';

export const INVITATION_PROVIDERS = [InvitationsService, InvitationMail, AcceptanceService];
