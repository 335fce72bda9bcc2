import type { SignInState, UserFacts } from '../../users/index.js';
import type { ConnectionRefusal } from '../shared/connections/connections.service.js';
import type { Question } from './open-questions.js';

/** How a page is shown again: where a sign-in stands, what was wrong with an answer, or what the organization decided meanwhile. */
export interface ShownAgain extends Partial<SignInState> {
  readonly refused?: ConnectionRefusal;
  /** The organization that was entered with the e-mail address. */
  readonly organization?: string;
}

/** What a page is made from. */
export interface Shown {
  readonly question: Question;
  readonly form: { readonly action: string; readonly csrf: string };
  /** Undefined before the sign-in. */
  readonly user: UserFacts | undefined;
  readonly state: ShownAgain;
}
