import { Passwords } from './passwords.js';
import { SecondFactor } from './second-factor.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { SignInService } from './sign-in.service.js';
import { SignInSteps } from './sign-in-steps.js';

/** What signing in takes. */
export const SIGN_IN_PROVIDERS = [SignInService, SignInSteps, SignInAttempts, Passwords, SecondFactor];
