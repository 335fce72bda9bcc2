export { UsersModule } from './users.module.js';
export { UsersService, type IssuedSecondFactor } from './users.service.js';
export { InvitationsService, type Invitation } from './invitations.service.js';
export { SignInService, type SignIn, type SignInRequest } from './sign-in.service.js';
export { makePassword } from './passwords.js';
export type { UserRole } from './user.entity.js';
export type { UserFacts } from './user-facts.js';
