import { Admission } from './admission.js';
import { Passwords } from './passwords.js';
import { SecondFactor } from './second-factor.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { SignInRulesService } from './sign-in-rules.js';
import { SignInService } from './sign-in.service.js';
import { SignInSteps } from './sign-in-steps.js';

export { SignInRulesService, SignInService, SignInSteps };

/** What checks passwords and codes. */
export const SIGN_IN_PROVIDERS = [SignInService, SignInSteps, SignInAttempts, SignInRulesService, Admission, Passwords, SecondFactor];
